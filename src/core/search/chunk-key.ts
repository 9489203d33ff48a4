// Keys of chunks: as a map key, and in the order that breaks ties.
import type { ChunkKey } from "../plugin-api.js";

/** A key as a string, one for each chunk. */
export function chunkId({ path, position }: ChunkKey): string {
  return `${position}/${path}`;
}

/** By path in UTF-16 units, which no locale changes, then by position. */
export function compareKeys(a: ChunkKey, b: ChunkKey): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.position - b.position;
}
