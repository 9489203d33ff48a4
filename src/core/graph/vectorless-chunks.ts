// Which chunks have no vector: where all have one, or none, the documents know it.
import type { ChunkKey, VectorStore } from "../plugin-api.js";
import { chunkId } from "../search/chunk-key.js";

export interface VectorlessChunks {
  /** Whether there are any. */
  readonly some: boolean;
  /** Those of some chunks that have no vector, in the order given. */
  among<Chunk extends ChunkKey>(chunks: readonly Chunk[]): Promise<Chunk[]>;
}

/** Looks through the documents once, and only if a chunk without a vector is there. */
export async function vectorlessChunks(store: VectorStore): Promise<VectorlessChunks> {
  const { chunks: all, vectors } = await store.counts();
  if (vectors >= all) return { some: false, among: () => Promise.resolve([]) };
  const whole = new Set<string>();
  const partly = new Set<string>();
  for await (const batch of store.documents(["path", "chunkCount", "declinedCount"]))
    for (const { path, chunkCount, declinedCount } of batch)
      if (declinedCount > 0) (declinedCount >= chunkCount ? whole : partly).add(path);
  const known = new Map<string, boolean>();
  return {
    some: true,
    async among(chunks) {
      const unknown = chunks.filter((chunk) => partly.has(chunk.path) && !known.has(chunkId(chunk)));
      for (const chunk of await store.chunks(unknown, ["path", "position", "vector"]))
        known.set(chunkId(chunk), chunk.vector === null);
      return chunks.filter(
        ({ path, position }) =>
          whole.has(path) || (partly.has(path) && known.get(chunkId({ path, position })) === true),
      );
    },
  };
}
