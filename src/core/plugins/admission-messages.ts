// What kb-mcp and its admission process say to each other. Plain data.
import type { ParserDirectories } from "../documents/parser-host.js";
import type { MediaType } from "../plugin-api.js";
import type { SentError } from "../sent-error.js";
import type { SentLog } from "../sent-log.js";
import type { PluginKinds } from "./plugin-shape.js";

/** A package to load, and the parsers of it that are enabled or may be, with the options given to each. */
export interface AdmissionRequest {
  readonly moduleUrl: string;
  readonly enabledParsers: Readonly<Record<string, AskedParser>>;
}

export interface AskedParser {
  readonly options: Readonly<Record<string, unknown>>;
  readonly directories: ParserDirectories;
}

/** What a package offers: plain data about its factories. */
export interface PackageOffer {
  readonly name: string;
  readonly version: string;
  /** Ids by kind. */
  readonly ids: Readonly<Record<PluginKinds, readonly string[]>>;
  readonly parsers: readonly ParserOffer[];
}

export interface ParserOffer {
  readonly id: string;
  readonly extensions: readonly string[];
  readonly mediaType: MediaType;
  readonly binary: boolean;
  /** As the parser's schema read them; plain data. Absent for a parser that is not enabled. */
  readonly options?: unknown;
}

/** What the process is at, so that an end without an answer can be told. */
export type Stage = "load" | "options" | "create" | "sample";

export type AdmissionReply =
  | { readonly stage: Stage; readonly parser?: string }
  | { readonly offer: PackageOffer }
  | { readonly failed: SentError }
  | SentLog;
