// One file on its way into the index: read guard → hash → parser → chunks → terms. No embedding, no writing.
import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { describeDocument } from "../documents/document-metadata.js";
import type { GuardedParser } from "../documents/guarded-parse.js";
import type { KnowledgeBaseRoot } from "../documents/knowledge-base-root.js";
import type { ParserRegistry } from "../documents/parser-registry.js";
import { readGuarded } from "../documents/read-guard.js";
import type { WalkedFile } from "../documents/walk.js";
import { KbError } from "../errors.js";
import type { StoredChunk, StoredDocument } from "../plugin-api.js";
import { analyseChunk } from "../search/analyser/analyse-chunk.js";
import { embeddingText } from "../search/analyser/embedding-text.js";
import { countLines } from "../text/lines.js";
import { chunkDocument } from "./chunker.js";
import type { Fingerprint } from "./scan.js";

const chunksBetweenPauses = 16;

export interface PreparationDependencies {
  readonly root: KnowledgeBaseRoot;
  readonly registry: ParserRegistry;
  readonly parser: GuardedParser;
  readonly maxFileBytes: number;
  readonly chunkTokens: { readonly target: number; readonly max: number };
  readonly excludeHeadings: readonly string[];
}

/** A document whose chunks wait for their vectors. */
export interface PreparedDocument {
  readonly kind: "document";
  readonly path: string;
  readonly document: StoredDocument;
  /** Without vectors. */
  readonly chunks: readonly StoredChunk[];
  /** One text for each chunk, for the embedder. */
  readonly embeddingTexts: readonly string[];
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
  const { root, registry, parser } = dependencies;
  const parserEntry = registry.forPath(file.path);
  if (parserEntry === undefined)
    throw new KbError("KB_READ_EXTENSION", `${file.path}: no parser is enabled for it`);
  const read = await readGuarded(root, file.path, {
    extensions: registry.extensions,
    maxBytes: dependencies.maxFileBytes,
  });
  const contentHash = createHash("sha256").update(read.bytes).digest("hex");
  const fingerprint: Fingerprint = {
    path: file.path,
    sizeBytes: read.sizeBytes,
    modifiedMs: read.modifiedMs,
    contentHash,
    parser: parserEntry.label,
  };
  if (known?.contentHash === contentHash && known.parser === parserEntry.label)
    return { kind: "touched", path: file.path, fingerprint };

  const parsed = await parser.parse(file.path, read.bytes, signal);
  const description = describeDocument(file.path, parsed);
  const pieces = chunkDocument(parsed, dependencies.chunkTokens, dependencies.excludeHeadings);
  const chunks: StoredChunk[] = [];
  for (const piece of pieces) {
    const { headingPath, content } = piece;
    const terms = analyseChunk({ path: file.path, title: description.title, headingPath, content });
    chunks.push({ path: file.path, ...piece, terms, vector: null });
    // A chunk takes about a millisecond; searches must not wait for a whole book.
    if (chunks.length % chunksBetweenPauses === 0) await setImmediate();
  }
  const document: StoredDocument = {
    ...fingerprint,
    ...description,
    mediaType: parserEntry.mediaType,
    lineCount: countLines(parsed.text),
    chunkCount: chunks.length,
    declinedCount: 0,
  };
  const embeddingTexts = pieces.map(({ headingPath, content }) =>
    embeddingText({ ...(parsed.title !== undefined && { title: parsed.title }), headingPath, content }),
  );
  return {
    kind: "document",
    path: file.path,
    document,
    chunks,
    embeddingTexts,
    warnings: parsed.warnings ?? [],
  };
}
