// What kb-mcp and its parse process say to each other. Plain data.
import type { CutOptions, DocumentOutline } from "../indexing/chunk-parts.js";
import type { StoredChunk } from "../plugin-api.js";
import type { SentError } from "../sent-error.js";
import type { SentLog } from "../sent-log.js";
import type { DocumentText, TextOptions } from "./document-text.js";
import type { ParserDirectories } from "./parser-host.js";
import type { RegisteredParser } from "./parser-registry.js";

/** One file to parse; the next comes when this one is answered. */
export interface ParseRequest {
  readonly id: number;
  /** Relative to the knowledge base. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly parser: Pick<RegisteredParser, "id" | "moduleUrl" | "binary" | "options">;
  readonly directories: ParserDirectories;
  readonly want: Want;
}

/** What is asked of a document: its text or its chunks. */
export type Want = ({ readonly kind: "text" } & TextOptions) | ({ readonly kind: "chunks" } & CutOptions);

export type ParseReply =
  | { readonly id: number; readonly text: DocumentText }
  /** Chunks come in parts, so that no message keeps the event loop for long; the outline comes last. */
  | { readonly id: number; readonly chunks: readonly StoredChunk[]; readonly outline?: DocumentOutline }
  /** `last`: the process ends after this. */
  | { readonly id: number; readonly error: SentError; readonly last?: true }
  | SentLog;
