// A document that answers in several passages is likelier the right one: its best passage counts for more.
import type { ScoredChunk } from "../plugin-api.js";
import { byScore, roundScore } from "./fusion.js";

/**
 * Weight of the support, and what each further passage counts of the one before. Measured on four sets of questions for
 * pages (English, Japanese, Chinese; 144 to 222 documents) and one of short team notes: nDCG@10 over documents rose by .011 to
 * .025, and the right document was among the first five passages in .01 to .04 more. Where the answer is one paragraph of
 * an article, the same figures stayed within .003. Weights of .1 to .4 and shares of .5 to .8 do nearly as well.
 *
 * Support for every passage of a document, not only its best, gives the same ranking of documents, but the first
 * five passages then come from fewer of them (.936 instead of .957 held the right one, .943 without any).
 */
const support = { weight: 0.2, share: 0.7 } as const;

/**
 * The ranking with, for the best chunk of each document,
 *
 *     score + 0.2 * sum over the document's other chunks in the ranking, best first, i = 0, 1, … of  0.7^i * score(i)
 *
 * all scores then divided by the highest if that is above 1.
 * @param ranking best first, with scores of 0 to 1
 * @returns the same chunks, best first; equal scores in order of path and position
 */
export function supportedByDocuments(ranking: readonly ScoredChunk[]): ScoredChunk[] {
  const supports = supportByPath(ranking);
  const supported = ranking.map((hit) => {
    const more = supports.get(hit.path) ?? 0;
    supports.delete(hit.path);
    return { ...hit, score: hit.score + more };
  });
  const scale = Math.max(1, ...supported.map(({ score }) => score));
  return supported.map((hit) => ({ ...hit, score: roundScore(hit.score / scale) })).sort(byScore);
}

function supportByPath(ranking: readonly ScoredChunk[]): Map<string, number> {
  const sums = new Map<string, number>();
  const shares = new Map<string, number>();
  for (const { path, score } of ranking) {
    const share = shares.get(path);
    if (share !== undefined) sums.set(path, (sums.get(path) ?? 0) + share * score);
    shares.set(path, share === undefined ? support.weight : share * support.share);
  }
  return sums;
}
