// Lets a reranker put the best hits in a new order.
import type { Reranker, ScoredChunk, StoredChunk } from "../plugin-api.js";
import { byScore, roundScore } from "./fusion.js";

/**
 * The chunks in the reranker's order, with its scores brought to 0 to 1 (min-max over these chunks; all 1 if equal).
 * @throws whatever the reranker throws
 */
export async function rerankChunks(
  reranker: Reranker,
  query: string,
  chunks: readonly StoredChunk[],
  signal: AbortSignal,
): Promise<ScoredChunk[]> {
  const scores = await reranker.rerank(
    query,
    chunks.map(({ content }) => content),
    signal,
  );
  const least = Math.min(...scores);
  const range = Math.max(...scores) - least;
  return chunks
    .map(({ path, position }, index) => {
      const score = scores[index] ?? least;
      return { path, position, score: roundScore(range > 0 ? (score - least) / range : 1) };
    })
    .sort(byScore);
}
