// A ranked chunk with its text: what becomes a hit.
import type { ChunkKey, ScoredChunk, StoredChunk } from "../plugin-api.js";
import { chunkId } from "./chunk-key.js";
import type { Span } from "./match-spans.js";

/** What a hit shows of a chunk, or of several together. */
export type ShownChunk = Pick<
  StoredChunk,
  keyof ChunkKey | "heading" | "headingPath" | "content" | "startLine" | "endLine"
>;

export interface Passage<Chunk extends ShownChunk = ShownChunk> {
  readonly ranked: ScoredChunk;
  readonly chunk: Chunk;
  /** Where in the content the chunks stand that were found, best first; absent where it is one of them alone. */
  readonly expandedFrom?: readonly Span[];
}

/** The passages of a ranking, in its order; one whose chunk has left the index meanwhile is left out. */
export function passagesOf<Chunk extends ShownChunk>(
  ranking: readonly ScoredChunk[],
  chunks: readonly Chunk[],
): Passage<Chunk>[] {
  const byKey = new Map(chunks.map((chunk) => [chunkId(chunk), chunk]));
  return ranking.flatMap((ranked) => {
    const chunk = byKey.get(chunkId(ranked));
    return chunk === undefined ? [] : { ranked, chunk };
  });
}
