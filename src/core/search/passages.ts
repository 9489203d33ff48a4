// What becomes a hit: a ranked chunk with its text, or several chunks of a document joined.
import type { ChunkKey, ScoredChunk, StoredChunk } from "../plugin-api.js";
import { chunkId } from "./chunk-key.js";
import type { Span } from "./match-spans.js";

/** What a hit shows of a chunk, or of several together. */
export type ShownChunk = Pick<
  StoredChunk,
  keyof ChunkKey | "heading" | "headingPath" | "content" | "startLine" | "endLine"
>;

export interface Passage {
  readonly ranked: ScoredChunk;
  readonly chunk: ShownChunk;
  /** Where in the content the chunks stand that were found, best first; absent where it is one of them alone. */
  readonly expandedFrom?: readonly Span[];
}

/** The passages of a ranking, in its order; one whose chunk has left the index meanwhile is left out. */
export function passagesOf(ranking: readonly ScoredChunk[], chunks: readonly ShownChunk[]): Passage[] {
  const byKey = new Map(chunks.map((chunk) => [chunkId(chunk), chunk]));
  return ranking.flatMap((ranked) => {
    const chunk = byKey.get(chunkId(ranked));
    return chunk === undefined ? [] : { ranked, chunk };
  });
}

/** The text of neighbouring chunks, and where in it each of them stands. */
export function joinChunks(chunks: readonly ShownChunk[]): {
  readonly content: string;
  readonly spans: readonly Span[];
} {
  let content = "";
  const spans = chunks.map((chunk, index): Span => {
    content += separator(chunks[index - 1], chunk);
    const start = content.length;
    content += chunk.content;
    return [start, content.length];
  });
  return { content, spans };
}

/** Lines in no chunk from which on a gap is marked: two blank ones stand before many a heading. */
const markedGap = 3;

/** What stands between two chunks: what did in the document, as far as their lines say so. */
function separator(before: ShownChunk | undefined, after: ShownChunk): string {
  if (before === undefined) return "";
  if (before.endLine === undefined || after.startLine === undefined) return "\n\n";
  const between = after.startLine - before.endLine - 1;
  if (between >= markedGap) return "\n\n…\n\n";
  // Both hold a part of one long line if they share it.
  return "\n".repeat(Math.min(2, Math.max(0, between + 1)));
}
