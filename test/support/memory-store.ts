// The built-in memory store with documents in it, for tests that need a real store and no folder.
import type { DocumentWrite, VectorStore } from "../../src/core/plugin-api.js";
import { createMemoryStore } from "../../src/plugins/stores/memory/store.js";
import { letterEmbedder } from "../support/letter-embedder.js";

/** With documents it is an index that was built; without any, nothing was ever built in it. */
export function memoryStore(initial: readonly DocumentWrite[] = []): VectorStore {
  const store = createMemoryStore();
  if (initial.length === 0) return store;
  const { vector } = initial.flatMap(({ chunks }) => chunks).find((chunk) => chunk.vector !== null) ?? {};
  const dimensions = vector?.length ?? letterEmbedder().dimensions;
  // A commit takes effect before its promise is returned; one that fails fails the test as an unhandled rejection.
  void store.reset({ dimensions, meta: {} });
  void store.write({ put: initial });
  return store;
}
