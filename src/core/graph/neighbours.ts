// The nearest documents, or passages, of one passage.
import type { ChunkFilter, ChunkKey, ScoredChunk, VectorStore } from "../plugin-api.js";
import type { ChunkText } from "../search/analyser/context-line.js";
import { throwIfCancelled } from "../search/cancelled.js";
import { byScore, roundScore } from "../search/fusion.js";
import type { ConnectionKind } from "./graph-reply.js";
import { tellingWords } from "./telling-words.js";
import type { VectorlessChunks } from "./vectorless-chunks.js";

/** What is compared with the passages of the index: one passage, or several taken together. */
export interface Source {
  /** null if none of its passages has one. */
  readonly vector: Float32Array | null;
  readonly passages: readonly ChunkText[];
}

export interface Neighbour extends ChunkKey {
  /** Similarity, at least the least asked for; four decimals. */
  readonly score: number;
  readonly via: ConnectionKind;
}

export interface NeighbourSearch {
  readonly store: VectorStore;
  readonly filter: ChunkFilter;
  readonly vectorless: VectorlessChunks;
  /** Chunks in the index. */
  readonly chunks: number;
  readonly fanOut: number;
  readonly minSimilarity: number;
  /** What a chunk stands for: of the chunks with one name only the best counts. */
  readonly nameOf: (chunk: ChunkKey) => string;
  /** Whether a chunk can be a neighbour at all. */
  readonly isNew: (chunk: ChunkKey) => boolean;
  readonly candidates: CandidateLimits;
}

export interface Neighbourhood {
  /** Best first, equal ones in order of path and position; at most `fanOut`. */
  readonly neighbours: readonly Neighbour[];
  /** The best similarity that was too low, where no neighbour was found. */
  readonly nearestMiss: number | undefined;
  /** Whether as many candidates as are ever looked at were not enough. */
  readonly cut: boolean;
}

/** Candidates that are looked at first; each further round looks at four times as many, up to the most. */
export interface CandidateLimits {
  readonly first: number;
  readonly most: number;
}

export const defaultCandidates: CandidateLimits = { first: 100, most: 6400 };

/**
 * Two passages are compared by meaning where both have a vector, by words where one has none. The index's passages
 * are looked at in order of similarity until enough are found or they are too far.
 * @throws KbError KB_CANCELLED, KB_STORE_*
 */
export async function neighboursOf(
  { vector, passages }: Source,
  search: NeighbourSearch,
  signal: AbortSignal,
): Promise<Neighbourhood> {
  const { store, filter, vectorless, chunks } = search;
  const legs: Promise<Neighbourhood>[] = [];
  if (vector !== null)
    legs.push(
      nearest("meaning", search, signal, async (k) => {
        const found = await store.vectorSearch(vector, k, filter);
        return {
          count: found.length,
          hits: found.map((hit) => ({ ...hit, score: roundScore(Math.min(1, Math.max(0, hit.score))) })),
        };
      }),
    );
  if (vector === null || vectorless.some) {
    const words = await tellingWords(store, passages, chunks);
    if (words !== undefined)
      legs.push(
        nearest("words", search, signal, async (k) => {
          const found = await store.textSearch(words.query, k, filter);
          const scored = found.map((hit) => ({ ...hit, score: words.similarity(hit.score) }));
          if (vector === null) return { count: found.length, hits: scored };
          const near = scored.filter(({ score }) => score >= search.minSimilarity);
          // Whatever is too far only ends the search here: it may well be compared by meaning.
          const hits = await vectorless.among(near);
          return { count: near.length < scored.length ? near.length : found.length, hits };
        }),
      );
  }
  return together(await Promise.all(legs), search);
}

/** One leg's candidates, best first; fewer than `k` are counted where no more are near. */
interface Candidates {
  readonly count: number;
  readonly hits: readonly ScoredChunk[];
}

async function nearest(
  via: ConnectionKind,
  { fanOut, minSimilarity, nameOf, isNew, candidates }: NeighbourSearch,
  signal: AbortSignal,
  fetch: (k: number) => Promise<Candidates>,
): Promise<Neighbourhood> {
  for (let k = candidates.first; ; k = Math.min(4 * k, candidates.most)) {
    const { count, hits } = await fetch(k);
    throwIfCancelled(signal);
    // Rounding makes equals of what the store told apart.
    const near = hits.filter(({ score }) => score >= minSimilarity).sort(byScore);
    const best = new Map<string, Neighbour>();
    for (const { path, position, score } of near) {
      const name = nameOf({ path, position });
      if (!best.has(name) && isNew({ path, position })) best.set(name, { path, position, score, via });
      if (best.size === fanOut) break;
    }
    const neighbours = [...best.values()];
    const settled = (neighbours[fanOut - 1]?.score ?? -1) > (near.at(-1)?.score ?? 0);
    const enough = settled || near.length < hits.length || count < k;
    if (enough || k >= candidates.most) {
      const far = hits.filter(({ score }) => score < minSimilarity);
      return { neighbours, nearestMiss: far.find(isNew)?.score, cut: !enough };
    }
  }
}

function together(legs: readonly Neighbourhood[], { fanOut, nameOf }: NeighbourSearch): Neighbourhood {
  const best = new Map<string, Neighbour>();
  for (const neighbour of legs.flatMap(({ neighbours }) => neighbours).sort(byScore)) {
    const name = nameOf(neighbour);
    if (!best.has(name)) best.set(name, neighbour);
  }
  const misses = legs.flatMap(({ nearestMiss }) => nearestMiss ?? []);
  return {
    neighbours: [...best.values()].slice(0, fanOut),
    nearestMiss: misses.length > 0 ? Math.max(...misses) : undefined,
    cut: legs.some(({ cut }) => cut),
  };
}
