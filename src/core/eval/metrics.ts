// Measures of a ranking, and their means over questions. Relevance is binary. Knows names only, not what they name.

/** What a leg ranked for one question, and what it should have found. */
export interface Judged {
  /** Best first, without repetition. */
  readonly ranking: readonly string[];
  /** Not empty. */
  readonly relevant: ReadonlySet<string>;
}

/** Means over questions; each 0 to 1, more is better. */
export interface Measures {
  "ndcg@10": number;
  mrr: number;
  "recall@1": number;
  "recall@5": number;
  "recall@10": number;
}

/** The measures in the order in which they are shown, with the names people know them by. */
export const measureNames: Readonly<Record<keyof Measures, string>> = {
  "ndcg@10": "nDCG@10",
  mrr: "MRR",
  "recall@1": "recall@1",
  "recall@5": "recall@5",
  "recall@10": "recall@10",
};

/** The mean of every measure; undefined where there is nothing to judge. */
export function measure(judged: readonly Judged[]): Measures | undefined {
  if (judged.length === 0) return undefined;
  const mean = (of: (one: Judged) => number): number =>
    judged.reduce((sum, one) => sum + of(one), 0) / judged.length;
  return {
    "ndcg@10": mean((one) => ndcg(one, 10)),
    mrr: mean(reciprocalRank),
    "recall@1": mean((one) => recall(one, 1)),
    "recall@5": mean((one) => recall(one, 5)),
    "recall@10": mean((one) => recall(one, 10)),
  };
}

/**
 * recall@k: the share of what is relevant that is among the first k (Manning, Raghavan and Schütze, Introduction to
 * Information Retrieval, 2008, chapter 8). With more than k relevant ones it cannot reach 1.
 */
export function recall({ ranking, relevant }: Judged, k: number): number {
  return ranking.slice(0, k).filter((name) => relevant.has(name)).length / relevant.size;
}

/** 1 / rank of the first relevant one, 0 if there is none; its mean is MRR (Voorhees, TREC-8 QA track report, 1999). */
export function reciprocalRank({ ranking, relevant }: Judged): number {
  const first = ranking.findIndex((name) => relevant.has(name));
  return first < 0 ? 0 : 1 / (first + 1);
}

/**
 * Normalised discounted cumulative gain:
 *
 *     DCG@k  = sum over ranks i = 1 … k of rel(i) / log2(i + 1), rel(i) 1 if what is at rank i is relevant, else 0
 *     nDCG@k = DCG@k / DCG@k of a ranking that has all that is relevant first
 *
 * (Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002, with the discount of Burges et al.,
 * 2005, which trec_eval uses too.)
 */
export function ndcg({ ranking, relevant }: Judged, k: number): number {
  const gain = (names: readonly string[]): number =>
    names
      .slice(0, k)
      .reduce((sum, name, index) => sum + (relevant.has(name) ? 1 / Math.log2(index + 2) : 0), 0);
  return gain(ranking) / gain([...relevant]);
}

/**
 * Area under the ROC curve: how often a positive value is above a negative one, ties counted half (Hanley and McNeil,
 * 1982). Undefined if there are none of one of them.
 */
export function areaUnderCurve(positive: readonly number[], negative: readonly number[]): number | undefined {
  if (positive.length === 0 || negative.length === 0) return undefined;
  let above = 0;
  for (const p of positive) for (const n of negative) above += p > n ? 1 : p === n ? 0.5 : 0;
  return above / (positive.length * negative.length);
}
