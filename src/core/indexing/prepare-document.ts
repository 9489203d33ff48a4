// One file on its way into the index: read guard → hash → parse process (text → chunks → terms). No embedding, no
// writing.
import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { GuardedParser } from "../documents/guarded-parse.js";
import type { KnowledgeBaseRoot } from "../documents/knowledge-base-root.js";
import type { ParserRegistry } from "../documents/parser-registry.js";
import { readGuarded } from "../documents/read-guard.js";
import type { WalkedFile } from "../documents/walk.js";
import { KbError } from "../errors.js";
import type { StoredChunk, StoredDocument } from "../plugin-api.js";
import type { CutOptions } from "./chunk-parts.js";
import { cutToWindow, type Window } from "./cut-to-window.js";
import type { Fingerprint } from "./scan.js";

/** Bytes hashed at once: some milliseconds. */
const hashedAtOnce = 4 * 1024 * 1024;

export interface PreparationDependencies extends Pick<CutOptions, "excludeHeadings"> {
  readonly embedder: Window;
  readonly root: KnowledgeBaseRoot;
  readonly registry: ParserRegistry;
  readonly parser: GuardedParser;
  readonly maxFileBytes: number;
}

/** A document whose chunks wait for their vectors. */
export interface PreparedDocument {
  readonly kind: "document";
  readonly path: string;
  readonly document: StoredDocument;
  /** Without vectors. */
  readonly chunks: readonly StoredChunk[];
  /** The title that the document gives itself, which is embedded with each chunk. */
  readonly title?: string;
  readonly warnings: readonly string[];
}

/** A file whose bytes are what they were: only its fingerprint is new. */
export interface TouchedDocument {
  readonly kind: "touched";
  readonly path: string;
  readonly fingerprint: Fingerprint;
}

/**
 * Prepares one file.
 * @param known its fingerprint in the store; undefined reads the file in any case
 * @throws KbError KB_READ_*, KB_PARSE_*, KB_CANCELLED
 */
export async function prepareDocument(
  dependencies: PreparationDependencies,
  file: WalkedFile,
  known: Fingerprint | undefined,
  signal: AbortSignal,
): Promise<PreparedDocument | TouchedDocument> {
  const { root, registry, parser, embedder, excludeHeadings } = dependencies;
  const parserEntry = registry.forPath(file.path);
  if (parserEntry === undefined)
    throw new KbError("KB_READ_EXTENSION", `${file.path}: no parser is enabled for it`);
  const read = await readGuarded(root, file.path, {
    extensions: registry.extensions,
    maxBytes: dependencies.maxFileBytes,
  });
  const contentHash = await hashOf(read.bytes);
  const fingerprint: Fingerprint = {
    path: file.path,
    sizeBytes: read.sizeBytes,
    modifiedMs: read.modifiedMs,
    contentHash,
    parser: parserEntry.label,
  };
  if (known?.contentHash === contentHash && known.parser === parserEntry.label)
    return { kind: "touched", path: file.path, fingerprint };

  const { chunks, ...outline } = await cutToWindow(
    file.path,
    (chunkTokens) => parser.readChunks(file.path, read.bytes, { chunkTokens, excludeHeadings }, signal),
    embedder,
    signal,
  );
  const document: StoredDocument = {
    ...fingerprint,
    ...outline.description,
    mediaType: parserEntry.mediaType,
    lineCount: outline.lineCount,
    chunkCount: chunks.length,
    declinedCount: 0,
  };
  return {
    kind: "document",
    path: file.path,
    document,
    chunks,
    ...(outline.title !== undefined && { title: outline.title }),
    warnings: outline.warnings,
  };
}

async function hashOf(bytes: Uint8Array): Promise<string> {
  const hash = createHash("sha256");
  for (let from = 0; from < bytes.length; from += hashedAtOnce) {
    if (from > 0) await setImmediate();
    hash.update(bytes.subarray(from, from + hashedAtOnce));
  }
  return hash.digest("hex");
}
