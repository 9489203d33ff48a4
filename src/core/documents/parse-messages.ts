// What kb-mcp and its parse process say to each other. Plain data.
import type { ParsedDocument } from "../plugin-api.js";
import type { RegisteredParser } from "./parser-registry.js";

/** One file to parse; the next comes when this one is answered. */
export interface ParseRequest {
  readonly id: number;
  /** Relative to the knowledge base. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly parser: Pick<RegisteredParser, "id" | "moduleUrl" | "binary" | "options">;
  /** The parser's own directory. */
  readonly dataDirectory: string;
}

/** An error on its way between processes. */
export interface SentError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly stack?: string;
}

export type ParseReply =
  | { readonly id: number; readonly parsed: ParsedDocument }
  /** `last`: the process ends after this. */
  | { readonly id: number; readonly error: SentError; readonly last?: true }
  | { readonly log: "debug" | "info" | "warn" | "error"; readonly message: string };
