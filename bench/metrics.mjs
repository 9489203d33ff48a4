// Measures of a ranking, each the mean over queries. A result is { found: paths, best first, relevant: Set of paths }.

/** nDCG@10 with binary relevance, mean reciprocal rank, and recall@k: the share of relevant documents in the first k. */
export function ranking(results) {
  const mean = (measure) => results.reduce((sum, result) => sum + measure(result), 0) / results.length;
  return {
    "nDCG@10": mean(({ found, relevant }) => gain(found, relevant) / gain([...relevant], relevant)),
    MRR: mean(({ found, relevant }) => {
      const first = found.findIndex((path) => relevant.has(path));
      return first < 0 ? 0 : 1 / (first + 1);
    }),
    "recall@1": mean((result) => recall(result, 1)),
    "recall@10": mean((result) => recall(result, 10)),
  };
}

function gain(found, relevant) {
  return found
    .slice(0, 10)
    .reduce((sum, path, index) => sum + (relevant.has(path) ? 1 / Math.log2(index + 2) : 0), 0);
}

function recall({ found, relevant }, k) {
  return found.slice(0, k).filter((path) => relevant.has(path)).length / relevant.size;
}

/** Area under the ROC curve: how often a positive value is above a negative one, ties counted half. */
export function area(positive, negative) {
  let above = 0;
  for (const p of positive) for (const n of negative) above += p > n ? 1 : p === n ? 0.5 : 0;
  return above / (positive.length * negative.length);
}
