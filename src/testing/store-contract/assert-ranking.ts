// Compares a ranking with the one worked out by brute force. Equal scores may come in any order.
import assert from "node:assert/strict";
import type { ScoredChunk } from "../../core/plugin-api.js";
import { keyText } from "./check.js";

/** Relative difference between scores that counts as rounding. */
const tolerance = 0.005;

/**
 * Asserts that `found` are the k best of `expected`, which is sorted and complete: best first, each with its score.
 */
export function assertRanking(
  found: readonly ScoredChunk[],
  expected: readonly ScoredChunk[],
  k: number,
  what: string,
): void {
  assert.equal(found.length, Math.min(k, expected.length), `${what}: number of hits`);
  const scores = new Map(expected.map((scored) => [keyText(scored), scored.score]));
  assert.equal(new Set(found.map(keyText)).size, found.length, `${what}: a chunk was found twice`);
  found.forEach((hit, rank) => {
    const score = scores.get(keyText(hit));
    assert.ok(score !== undefined, `${what}: ${keyText(hit)} should not be found`);
    assertClose(hit.score, score, `${what}: score of ${keyText(hit)}`);
    assertClose(hit.score, expected[rank]?.score ?? NaN, `${what}: score at rank ${rank + 1}`);
    const before = found[rank - 1];
    assert.ok(
      before === undefined || before.score >= hit.score,
      `${what}: hits are not sorted at rank ${rank + 1}`,
    );
  });
}

function assertClose(actual: number, expected: number, what: string): void {
  const allowed = tolerance * Math.max(Math.abs(expected), 0.01);
  assert.ok(Math.abs(actual - expected) <= allowed, `${what} is ${actual}, should be ${expected}`);
}
