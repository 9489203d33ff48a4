// What the interface promises of scores, and of work that is cancelled.
import assert from "node:assert/strict";
import type { Reranker } from "../../core/plugin-api.js";
import { assertCancelled } from "../assert-cancelled.js";

/** A question, a text that answers it and one that does not. */
export interface RerankerProbe {
  readonly query: string;
  readonly better: string;
  readonly worse: string;
}

export interface RerankerCheck {
  /** A sentence of behaviour. */
  readonly name: string;
  run(reranker: Reranker): Promise<void>;
}

const never = new AbortController().signal;

/** Difference up to which two scores count as the same, as a share of the larger one if that is above 1. */
const tolerance = 1e-3;

const query = "When does the backup of the database run?";

const candidates = [
  "The backup of the database runs every night at two.",
  "Employees ask their manager for a day off.",
  "A database backup is kept for thirty days.",
  "An apple pie needs cinnamon and butter.",
];

const oddCandidates: Readonly<Record<string, string>> = {
  "an empty candidate": "",
  "a very long candidate": "The pump is greased twice a year and its log is kept. ".repeat(4000),
  "a Japanese candidate": "データベースのバックアップは毎晩二時に走る。",
  "a candidate of emoji": "👩‍👩‍👧‍👦🇯🇵🔥",
  "a candidate with a lone surrogate": "broken \ud83d here",
};

/** One finite score for each candidate. */
async function scoresOf(
  reranker: Reranker,
  texts: readonly string[],
  question: string = query,
): Promise<number[]> {
  const scores = await reranker.rerank(question, texts, never);
  assert.equal(scores.length, texts.length, "there is not one score for each candidate");
  for (const [index, score] of scores.entries())
    assert.ok(Number.isFinite(score), `the score of candidate ${index} is ${String(score)}`);
  return scores;
}

function assertSame(found: number | undefined, expected: number | undefined, what: string): void {
  assert.ok(found !== undefined && expected !== undefined, `${what} has no score`);
  const allowed = tolerance * Math.max(1, Math.abs(expected));
  assert.ok(Math.abs(found - expected) <= allowed, `${what} scores ${found}, but ${expected} before`);
}

/** The tests by group; the probe's only if there is one. */
export function rerankerChecks(probe: RerankerProbe | undefined): Record<string, readonly RerankerCheck[]> {
  return {
    scores: [...scoreChecks, ...(probe === undefined ? [] : [probeCheck(probe)])],
    ending: endingChecks,
  };
}

const scoreChecks: readonly RerankerCheck[] = [
  {
    name: "gives one finite score for each candidate",
    async run(reranker) {
      await scoresOf(reranker, candidates);
    },
  },
  {
    name: "gives no scores for no candidates",
    async run(reranker) {
      await scoresOf(reranker, []);
    },
  },
  {
    name: "gives the same scores each time",
    async run(reranker) {
      const before = await scoresOf(reranker, candidates);
      const after = await scoresOf(reranker, candidates);
      for (const [index, candidate] of candidates.entries())
        assertSame(after[index], before[index], `"${candidate}" again`);
    },
  },
  {
    name: "gives a candidate the same score in another order",
    async run(reranker) {
      const before = await scoresOf(reranker, candidates);
      const backwards = (await scoresOf(reranker, [...candidates].reverse())).reverse();
      for (const [index, candidate] of candidates.entries())
        assertSame(backwards[index], before[index], `"${candidate}" in another order`);
    },
  },
  ...Object.entries(oddCandidates).map(([kind, odd]): RerankerCheck => ({
    name: `scores ${kind}, and the candidates beside it`,
    async run(reranker) {
      await scoresOf(reranker, [odd, ...candidates]);
      await scoresOf(reranker, candidates, odd);
    },
  })),
];

function probeCheck({ query: question, better, worse }: RerankerProbe): RerankerCheck {
  return {
    name: "scores the better answer of the probe above the worse",
    async run(reranker) {
      const [first, second] = await scoresOf(reranker, [worse, better], question);
      assert.ok(
        first !== undefined && second !== undefined && second > first,
        `"${better}" scores ${String(second)}, "${worse}" ${String(first)}`,
      );
    },
  };
}

const endingChecks: readonly RerankerCheck[] = [
  {
    name: "rejects as cancelled when the signal is aborted",
    run: (reranker) => assertCancelled(reranker.rerank(query, candidates, AbortSignal.abort()), "rerank"),
  },
  {
    name: "works on after work that was cancelled",
    async run(reranker) {
      const controller = new AbortController();
      const work = Promise.allSettled([reranker.rerank(query, candidates, controller.signal)]);
      controller.abort();
      await work;
      await scoresOf(reranker, candidates);
    },
  },
  {
    name: "can be disposed of twice",
    async run(reranker) {
      await scoresOf(reranker, candidates);
      await Promise.all([reranker.dispose(), reranker.dispose()]);
      await reranker.dispose();
    },
  },
];
