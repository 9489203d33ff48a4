// The leg that searches by words, and what confidence needs to know about them.
import type { ChunkFilter, ScoredChunk, VectorStore } from "../plugin-api.js";
import { chunkId } from "./chunk-key.js";
import type { CompiledQuery } from "./compile-query.js";

export interface LexicalLegResult {
  readonly hits: readonly ScoredChunk[];
  /** For each of the query's `terms`, in how many chunks it occurs. */
  readonly frequencies: readonly number[];
}

/** @throws KbError KB_STORE_* of the store */
export async function searchByWords(
  store: VectorStore,
  query: CompiledQuery,
  filter: ChunkFilter,
  depth: number,
): Promise<LexicalLegResult> {
  const byTerms = await store.textSearch(query.textQuery, depth, filter);
  const hits = await withPhraseOnly(store, byTerms, filter, depth);
  // Afterwards, not beside it: a store that has just looked these terms up need not do so twice.
  const frequencies = await store.documentFrequencies(query.terms.map(({ term }) => term));
  return { hits, frequencies };
}

/**
 * A passage may hold a phrase without sharing a word with it, where its text is cut into other words ("1.2" stands in
 * 1.2.3). What holds the phrases and was not found by a word comes last, with a score of 0.
 */
async function withPhraseOnly(
  store: VectorStore,
  hits: readonly ScoredChunk[],
  filter: ChunkFilter,
  depth: number,
): Promise<readonly ScoredChunk[]> {
  if (filter.contentIncludes === undefined || hits.length >= depth) return hits;
  const found = new Set(hits.map(chunkId));
  const others = (await store.filteredChunks(filter, depth)).filter((key) => !found.has(chunkId(key)));
  return [...hits, ...others.map((key) => ({ ...key, score: 0 }))].slice(0, depth);
}
