import { describe, expect, it } from "@jest/globals";
import { KbError, type Reranker } from "../../src/core/plugin-api.js";
import { rerankerContract } from "../../src/testing/index.js";
import { runContract, type Ran } from "./support/run-contract.js";

const probe = { query: "pump oil", better: "The pump takes oil.", worse: "The valve is shut." };

/** Counts the words of the query that a candidate has. */
function wordReranker(changes: Partial<Reranker> = {}): Reranker {
  return {
    async rerank(query, candidates, signal) {
      await Promise.resolve();
      if (signal.aborted) throw new KbError("KB_CANCELLED", "the work was cancelled");
      const words = query.toLowerCase().split(" ");
      return candidates.map((text) => words.filter((word) => text.toLowerCase().includes(word)).length);
    },
    dispose: () => Promise.resolve(),
    ...changes,
  };
}

function changed(change: (scores: number[], candidates: readonly string[]) => number[]): () => Reranker {
  return () => ({
    ...wordReranker(),
    rerank: async (query, candidates, signal) =>
      change(await wordReranker().rerank(query, candidates, signal), candidates),
  });
}

let calls = 0;

const caught: Readonly<Record<string, readonly [test: string, create: () => Reranker]>> = {
  "leaves a candidate out": [
    "scores: gives one finite score for each candidate",
    changed((scores) => scores.slice(1)),
  ],
  "scores NaN": [
    "scores: gives one finite score for each candidate",
    changed((scores) => scores.map(() => NaN)),
  ],
  "scores nothing": ["scores: gives no scores for no candidates", changed((scores) => [...scores, 1])],
  "changes its mind": [
    "scores: gives the same scores each time",
    changed((scores) => scores.map((score) => score + calls++)),
  ],
  "prefers what comes first": [
    "scores: gives a candidate the same score in another order",
    changed((scores) => scores.map((score, index) => score - index)),
  ],
  "fails at an empty candidate": [
    "scores: scores an empty candidate, and the candidates beside it",
    changed((scores, candidates) => scores.map((score, index) => score / candidates[index]!.length)),
  ],
  "scores distance": [
    "scores: scores the better answer of the probe above the worse",
    changed((scores) => scores.map((score) => -score)),
  ],
  "does not listen to the signal": [
    "ending: rejects as cancelled when the signal is aborted",
    () => wordReranker({ rerank: (_query, candidates) => Promise.resolve(candidates.map(() => 1)) }),
  ],
  "is dead after it was cancelled": [
    "ending: works on after work that was cancelled",
    () => {
      let dead = false;
      return wordReranker({
        rerank: async (query, candidates, signal) => {
          await Promise.resolve();
          dead ||= signal.aborted;
          if (dead) throw new Error("it is dead");
          return wordReranker().rerank(query, candidates, signal);
        },
      });
    },
  ],
  "cannot be disposed of twice": [
    "ending: can be disposed of twice",
    () => {
      let disposed = false;
      const dispose = (): Promise<void> => {
        if (disposed) return Promise.reject(new Error("it is gone"));
        disposed = true;
        return Promise.resolve();
      };
      return wordReranker({ dispose });
    },
  ],
};

function run(create: () => Reranker): Promise<Ran> {
  return runContract((runner) => rerankerContract(create, runner, { probe }));
}

describe("the reranker contract", () => {
  it("passes a reranker that keeps every promise, with a probe and without", async () => {
    const withProbe = await run(wordReranker);
    expect([...withProbe.failures]).toEqual([]);
    const without = await runContract((runner) => rerankerContract(wordReranker, runner));
    expect([...without.failures]).toEqual([]);
    expect(without.names).toHaveLength(withProbe.names.length - 1);
  });

  for (const [fault, [test, create]] of Object.entries(caught))
    it(`catches a reranker that ${fault}`, async () => {
      expect([...(await run(create)).failures.keys()]).toContain(test);
    });
});
