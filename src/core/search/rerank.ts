// Lets a reranker put the best hits in a new order.
import type { ChunkKey, Logger, ScoredChunk, StoredChunk } from "../plugin-api.js";
import { throwIfCancelled } from "./cancelled.js";
import { chunkId } from "./chunk-key.js";
import { failureNote } from "./failure-note.js";
import { byScore, roundScore } from "./fusion.js";
import { logOnce } from "./log-once.js";
import type { QueryReranker } from "./patient-reranker.js";

export interface RerankCandidates {
  /** Best first. */
  readonly ranking: readonly ScoredChunk[];
  /** In the order of `ranking`. */
  readonly chunks: readonly Pick<StoredChunk, keyof ChunkKey | "content">[];
  /** How many the reranker orders; the rest follow as they are. */
  readonly depth: number;
}

/**
 * The chunks in the reranker's order, with its scores brought to 0 to 1 (min-max over these chunks; all 1 if equal).
 * If the reranker fails, `ranking` as it is, and a note.
 * @throws KbError KB_CANCELLED
 */
export async function rerank(
  reranker: () => Promise<QueryReranker>,
  query: string,
  { ranking, chunks, depth }: RerankCandidates,
  signal: AbortSignal,
  notes: string[],
  logger: Logger | undefined,
): Promise<readonly ScoredChunk[]> {
  try {
    const best = chunks.slice(0, depth);
    const texts = best.map(({ content }) => content);
    const ordered = inOrder(best, await (await reranker()).rerank(query, texts, signal));
    const ids = new Set(best.map(chunkId));
    return [...ordered, ...ranking.slice(depth).filter((chunk) => !ids.has(chunkId(chunk)))];
  } catch (error) {
    throwIfCancelled(signal, error);
    logOnce(logger, "the reranker failed", error);
    notes.push(failureNote("reranker", error, "results are in the order of the search itself"));
    return ranking;
  }
}

/** @throws Error if a plugin did not keep to its contract */
function inOrder(chunks: readonly ChunkKey[], scores: readonly number[]): ScoredChunk[] {
  if (scores.length !== chunks.length || !scores.every(Number.isFinite))
    throw new Error("the reranker did not answer one finite score for each passage");
  const least = Math.min(...scores);
  const range = Math.max(...scores) - least;
  return chunks
    .map(({ path, position }, index) => {
      const score = scores[index] ?? least;
      return { path, position, score: roundScore(range > 0 ? (score - least) / range : 1) };
    })
    .sort(byScore);
}
