// The leg that searches by words, and what confidence needs to know about them.
import type { ChunkFilter, ScoredChunk, VectorStore } from "../plugin-api.js";
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
  const hits = await store.textSearch(query.textQuery, depth, filter);
  // Afterwards, not beside it: a store that has just looked these terms up need not do so twice.
  const frequencies = await store.documentFrequencies(query.terms.map(({ term }) => term));
  return { hits, frequencies };
}
