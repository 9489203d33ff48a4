// Why a hit stands where it does: its rank and score in each leg, and what came of them.
import type { ChunkKey, ScoredChunk } from "../plugin-api.js";
import { chunkId } from "./chunk-key.js";
import { roundScore } from "./fusion.js";
import type { Explanation, LegRank } from "./search-reply.js";

/** The rankings of one search. */
export interface Rankings {
  readonly lexical: readonly ScoredChunk[];
  readonly vector: readonly ScoredChunk[];
  readonly fused: readonly ScoredChunk[];
  /** Absent where no reranker was asked. */
  readonly reranked?: readonly ScoredChunk[];
}

/** A function that explains any chunk of these rankings. */
export function explainer({ lexical, vector, fused, reranked }: Rankings): (chunk: ChunkKey) => Explanation {
  const [byWords, byMeaning, together, after] = [lexical, vector, fused, reranked ?? []].map(places);
  return (chunk) => {
    const id = chunkId(chunk);
    const words = byWords?.get(id);
    const meaning = byMeaning?.get(id);
    const last = after?.get(id);
    return {
      ...(words !== undefined && { lexical: words }),
      ...(meaning !== undefined && { vector: meaning }),
      fused: together?.get(id)?.score ?? 0,
      ...(last !== undefined && { reranked: last.score }),
    };
  };
}

function places(ranking: readonly ScoredChunk[]): Map<string, LegRank> {
  return new Map(
    ranking.map((chunk, index) => [chunkId(chunk), { rank: index + 1, score: roundScore(chunk.score) }]),
  );
}
