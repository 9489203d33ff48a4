import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { areaUnderCurve, measure, ndcg, recall, reciprocalRank } from "../../../src/core/eval/metrics.js";

const judged = (ranking: string, relevant: string) => ({
  ranking: Array.from(ranking),
  relevant: new Set(relevant),
});

// The same measures written another way: over a matrix of relevance flags, rank by rank, as trec_eval sums them.
const flags = (ranking: readonly string[], relevant: ReadonlySet<string>): number[] =>
  ranking.map((name) => Number(relevant.has(name)));
function secondNdcg(ranking: readonly string[], relevant: ReadonlySet<string>, k: number): number {
  let dcg = 0;
  let ideal = 0;
  const gains = flags(ranking, relevant);
  for (let rank = 1; rank <= k; rank++) {
    const discount = Math.LN2 / Math.log(rank + 1);
    if (gains[rank - 1] === 1) dcg += discount;
    if (rank <= relevant.size) ideal += discount;
  }
  return dcg / ideal;
}
function secondRecall(ranking: readonly string[], relevant: ReadonlySet<string>, k: number): number {
  let found = 0;
  for (const name of relevant) {
    const at = ranking.indexOf(name);
    if (at >= 0 && at < k) found++;
  }
  return found / relevant.size;
}
function secondReciprocalRank(ranking: readonly string[], relevant: ReadonlySet<string>): number {
  return Math.max(0, ...flags(ranking, relevant).map((flag, index) => flag / (index + 1)));
}
/** Mann-Whitney: rank sum of the positives, ties at the mean of their ranks. */
function secondArea(positive: readonly number[], negative: readonly number[]): number {
  const all = [...positive, ...negative].sort((a, b) => a - b);
  const rankOf = (value: number): number => (all.indexOf(value) + all.lastIndexOf(value)) / 2 + 1;
  const sum = positive.reduce((total, value) => total + rankOf(value), 0);
  return (sum - (positive.length * (positive.length + 1)) / 2) / (positive.length * negative.length);
}

const judgement = fc.record({
  ranking: fc.uniqueArray(fc.integer({ min: 0, max: 40 }).map(String), { maxLength: 40 }),
  relevant: fc.uniqueArray(fc.integer({ min: 0, max: 40 }).map(String), { minLength: 1, maxLength: 15 }),
});

describe("the measures of a ranking", () => {
  it("are those of examples computed by hand", () => {
    expect(recall(judged("abcd", "bdx"), 2)).toBeCloseTo(1 / 3);
    expect(recall(judged("abcd", "bdx"), 4)).toBeCloseTo(2 / 3);
    expect(reciprocalRank(judged("abcd", "cd"))).toBeCloseTo(1 / 3);
    expect(reciprocalRank(judged("abcd", "x"))).toBe(0);
    // Relevant at ranks 1 and 3 of two: (1 + 1/2) / (1 + 1/log2(3)).
    expect(ndcg(judged("abcd", "ac"), 10)).toBeCloseTo(1.5 / 1.6309297);
    expect(ndcg(judged("", "a"), 10)).toBe(0);
    expect(areaUnderCurve([0.9, 0.5], [0.5, 0.1])).toBeCloseTo(0.875);
    expect(areaUnderCurve([0.9], [])).toBeUndefined();
  });

  it("agree with a second implementation for any ranking", () => {
    fc.assert(
      fc.property(judgement, fc.integer({ min: 1, max: 20 }), ({ ranking, relevant }, k) => {
        const one = { ranking, relevant: new Set(relevant) };
        expect(ndcg(one, k)).toBeCloseTo(secondNdcg(ranking, one.relevant, k), 10);
        expect(recall(one, k)).toBeCloseTo(secondRecall(ranking, one.relevant, k), 10);
        expect(reciprocalRank(one)).toBeCloseTo(secondReciprocalRank(ranking, one.relevant), 10);
      }),
    );
  });

  it("are 1 exactly where all that is relevant comes first", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 10 }), (names) => {
        const {
          "ndcg@10": gain,
          mrr,
          "recall@10": found,
        } = measure([{ ranking: names, relevant: new Set(names) }])!;
        expect([gain, mrr, found]).toEqual([1, 1, 1]);
      }),
    );
  });

  it("are means over questions", () => {
    const means = measure([judged("ab", "a"), judged("ab", "b"), judged("ab", "c")]);
    expect(means?.["recall@1"]).toBeCloseTo(1 / 3);
    expect(means?.mrr).toBeCloseTo(0.5);
    expect(measure([])).toBeUndefined();
  });

  it("know an area under the curve that the rank sum gives too", () => {
    const values = fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(values, values, (positive, negative) => {
        expect(areaUnderCurve(positive, negative)).toBeCloseTo(secondArea(positive, negative), 10);
      }),
    );
  });
});
