// The search pipeline over a store, with what a test does not care about filled in.
import type { Embedder, VectorStore } from "../../src/core/plugin-api.js";
import {
  createSearch,
  type Search,
  type SearchDependencies,
  type SearchOptions,
} from "../../src/core/search/search.js";
import { letterEmbedder } from "../support/letter-embedder.js";

export interface SearchSetup extends Partial<Omit<SearchDependencies, "store" | "embedder" | "options">> {
  readonly embedder?: Embedder | (() => Promise<Embedder>);
  readonly options?: Partial<SearchOptions>;
}

/** Five hits, no quality filter, a reply of the usual size, letters for an embedder. */
export function searchOver(store: VectorStore, setup: SearchSetup = {}): Search {
  const { embedder = letterEmbedder(), options, ...rest } = setup;
  return createSearch({
    store: () => Promise.resolve(store),
    embedder: typeof embedder === "function" ? embedder : () => Promise.resolve(embedder),
    isServable: () => true,
    notes: () => [],
    options: {
      minConfidence: 0.5,
      limit: 5,
      qualityFilter: { enabled: false, threshold: 0 },
      maxReplyTokens: 16_000,
      ...options,
    },
    ...rest,
  });
}
