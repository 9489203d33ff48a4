// Maximal marginal relevance: puts passages that say something new before those that repeat a better one.
import type { ChunkKey, ScoredChunk, StoredChunk } from "../plugin-api.js";
import { chunkId } from "./chunk-key.js";

export interface MmrOptions {
  /** 1 keeps the order by score, 0 looks at novelty alone. */
  readonly lambda: number;
  /** Added to the similarity with a passage of the same document; 0 to 1. */
  readonly sameDocPenalty: number;
}

/** What of a chunk tells how alike two are. */
export type ComparedChunk = Pick<StoredChunk, keyof ChunkKey | "terms" | "vector">;

/**
 * The ranking with its first `depth` in the order in which each is the best of those left by
 *
 *     lambda * score - (1 - lambda) * max over those before it of (similarity + sameDocPenalty if of one document)
 *
 * (Carbonell and Goldstein 1998.) Similarity is the cosine of the vectors; where one of two chunks has none, of their
 * sets of words. Scores stay what they were, so they no longer fall from hit to hit. Equal ones keep their order.
 */
export function diversify(
  ranking: readonly ScoredChunk[],
  chunks: readonly ComparedChunk[],
  depth: number,
  { lambda, sameDocPenalty }: MmrOptions,
): ScoredChunk[] {
  const byId = new Map(chunks.map((chunk) => [chunkId(chunk), comparable(chunk)]));
  const left = ranking
    .slice(0, depth)
    .map((ranked) => ({ ranked, compared: byId.get(chunkId(ranked)), likeness: 0 }));
  const chosen: ScoredChunk[] = [];
  while (left.length > 0) {
    const worth = left.map(({ ranked, likeness }) => lambda * ranked.score - (1 - lambda) * likeness);
    const best = worth.indexOf(Math.max(...worth));
    const [next] = left.splice(best, 1);
    if (next === undefined) break;
    chosen.push(next.ranked);
    for (const other of left) {
      const penalty = other.ranked.path === next.ranked.path ? sameDocPenalty : 0;
      other.likeness = Math.max(other.likeness, similarity(other.compared, next.compared) + penalty);
    }
  }
  return [...chosen, ...ranking.slice(depth)];
}

interface Comparable {
  readonly vector: Float32Array | null;
  readonly words: ReadonlySet<string>;
}

function comparable({ vector, terms }: ComparedChunk): Comparable {
  return { vector, words: new Set(terms.text) };
}

/** 0 to 1; 0 for a chunk that is gone. */
function similarity(a: Comparable | undefined, b: Comparable | undefined): number {
  if (a === undefined || b === undefined) return 0;
  if (a.vector !== null && b.vector !== null) return Math.max(0, dot(a.vector, b.vector));
  if (a.words.size === 0 || b.words.size === 0) return 0;
  const [small, large] = a.words.size < b.words.size ? [a.words, b.words] : [b.words, a.words];
  let shared = 0;
  for (const word of small) if (large.has(word)) shared += 1;
  return shared / Math.sqrt(small.size * large.size);
}

/** The cosine, since vectors have length 1. */
function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
