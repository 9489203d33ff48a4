// Takes the k best by exact score out of candidates in LanceDB's own order, which is close to it but depends on the
// history of the table.
import type { Cell } from "./columns.js";
import type { ChunkKey, ScoredChunk } from "../../../core/plugin-api.js";

/** A chunk as LanceDB found it, with the exact score worked out from its content. */
export interface Candidate extends ScoredChunk {
  /** The score LanceDB gave it. */
  readonly found: number;
  /** Whether it meets the conditions; one that does not only shows how far LanceDB's order has been read. */
  readonly passes: boolean;
}

/** Candidates fetched beyond k: enough for ties and for the drift of a lived-in index to end among them. */
const surplus = 50;
/** More candidates than this are not fetched to tell apart chunks that are all alike. */
const candidatesMax = 4096;

/**
 * The k best, best first; equal scores in order of path and position.
 * @param fetch candidates in LanceDB's order, best first; fewer than asked for when there are no more. `round` counts
 *   from 0
 * @param ceiling the highest exact score a chunk can have that LanceDB ranked behind these candidates
 * @param firstRounds rounds that are asked without all of the conditions: none of them is the last for want of room
 */
export async function bestOf(
  k: number,
  fetch: (count: number, round: number) => Promise<readonly Candidate[]>,
  ceiling: (candidates: readonly Candidate[]) => number,
  firstRounds: number,
): Promise<ScoredChunk[]> {
  for (let round = 0, count = k + surplus; ; round++, count *= 3) {
    const candidates = await fetch(count, round);
    const best = candidates
      .filter(({ passes, score }) => passes && Number.isFinite(score))
      .sort(byScore)
      .slice(0, k);
    const last = best[k - 1];
    const settled = last !== undefined && last.score > ceiling(candidates);
    const enough = round >= firstRounds && count >= candidatesMax;
    if (settled || candidates.length < count || enough)
      return best.map(({ path, position, score }) => ({ path, position, score }));
  }
}

function byScore(a: ScoredChunk, b: ScoredChunk): number {
  return b.score - a.score || byKey(a, b);
}

/** In order of path, by UTF-16 units, and position. */
export function byKey(a: ChunkKey, b: ChunkKey): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.position - b.position;
}

/** The lowest score LanceDB gave: what it ranked behind these has no higher one. */
export function lowestFound(candidates: readonly Candidate[]): number {
  return candidates.reduce((lowest, { found }) => Math.min(lowest, found), Infinity);
}

/** The key of a result row, in the types of the interface. */
export function keyOf(row: { readonly path: Cell; readonly position: Cell }): {
  path: string;
  position: number;
} {
  return { path: row.path as string, position: row.position as number };
}
