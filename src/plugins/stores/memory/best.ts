// The k best of many scored chunks, without sorting them all; equal scores in order of path and position.
import type { ChunkKey, ScoredChunk } from "../../../core/plugin-api.js";

/** More than this many beyond k are sorted out at once. */
const spare = 512;

export class Best {
  readonly #k: number;
  #kept: { readonly key: ChunkKey; readonly score: number }[] = [];
  /** What scores less is not among the best k. */
  #floor = -Infinity;

  constructor(k: number) {
    this.#k = k;
  }

  offer(key: ChunkKey, score: number): void {
    if (score < this.#floor) return;
    this.#kept.push({ key, score });
    if (this.#kept.length >= 2 * this.#k + spare) this.#sortOut();
  }

  take(): ScoredChunk[] {
    this.#sortOut();
    return this.#kept.map(({ key: { path, position }, score }) => ({ path, position, score }));
  }

  #sortOut(): void {
    this.#kept = this.#kept.sort((a, b) => b.score - a.score || byKey(a.key, b.key)).slice(0, this.#k);
    if (this.#kept.length === this.#k) this.#floor = this.#kept.at(-1)?.score ?? Infinity;
  }
}

/** Paths by UTF-16 units. */
export function byKey(a: ChunkKey, b: ChunkKey): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.position - b.position;
}
