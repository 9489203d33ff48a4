// A parsed document's chunks with their terms, in parts: the work on a document that takes long. Runs in the parse
// process.
import { describeDocument, type DocumentDescription } from "../documents/document-metadata.js";
import type { ParsedDocument, StoredChunk } from "../plugin-api.js";
import { analyseChunk } from "../search/analyser/analyse-chunk.js";
import { fold } from "../text/fold.js";
import { countLines } from "../text/lines.js";
import { cutDocument, type Chunk } from "./chunker.js";

export interface ChunkTokens {
  readonly target: number;
  readonly max: number;
}

export interface CutOptions {
  /** In estimated tokens. */
  readonly chunkTokens: ChunkTokens;
  readonly excludeHeadings: readonly string[];
}

/** What the index keeps of a document besides its chunks. */
export interface DocumentOutline {
  /** The title that the document gives itself. */
  readonly title?: string;
  readonly description: DocumentDescription;
  /** Lines of the delivered text. */
  readonly lineCount: number;
  readonly warnings: readonly string[];
}

export interface ChunkedDocument extends DocumentOutline {
  /** Without vectors. */
  readonly chunks: readonly StoredChunk[];
}

/** Chunks in one part: some 300 kB, which take the receiver about 5 ms. */
const chunksPerPart = 64;

/** The chunks of a document in order, analysed part by part; the last part, which may be empty, has the outline. */
export function* chunkParts(
  path: string,
  parsed: ParsedDocument,
  { chunkTokens, excludeHeadings }: CutOptions,
): Generator<{ readonly chunks: StoredChunk[]; readonly outline?: DocumentOutline }> {
  const description = describeDocument(path, parsed);
  const outline: DocumentOutline = {
    ...(parsed.title !== undefined && { title: parsed.title }),
    description,
    lineCount: countLines(parsed.text),
    warnings: parsed.warnings ?? [],
  };
  let chunks: StoredChunk[] = [];
  for (const chunk of cutDocument(parsed, chunkTokens, excludeHeadings)) {
    if (chunks.length === chunksPerPart) {
      yield { chunks };
      chunks = [];
    }
    chunks.push(analysed(path, description, chunk));
  }
  yield { chunks, outline };
}

/** A chunk as it is stored, without its vector. */
export function analysed(path: string, { title, tags }: DocumentDescription, chunk: Chunk): StoredChunk {
  const { headingPath, content } = chunk;
  const terms = analyseChunk({ path, title, headingPath, content, tags });
  return { path, ...chunk, contentKey: fold(content), terms, vector: null };
}
