// Okapi BM25 over the statistics of the lexicon. The scores depend on what is stored now and on nothing else.
import type { TermField, TextQuery } from "../../../core/plugin-api.js";
import type { TermStatistics } from "./lexicon.js";

/** The constants LanceDB uses too, so that its order is a good first guess. */
const k1 = 1.2;
const b = 0.75;

/** The terms of one chunk's fields; a field that no clause names may be left out. */
export type FieldTerms = Readonly<Partial<Record<TermField, readonly string[]>>>;

/** A function that scores a chunk. A term given twice counts twice. */
export function bm25(query: TextQuery, statistics: TermStatistics): (chunk: FieldTerms) => number {
  const clauses = query.clauses.map(({ field, terms, weight }) => ({
    field,
    averageLength: statistics.lengths[field] / statistics.chunks,
    weights: termWeights(terms, weight, (term) =>
      inverseFrequency(statistics.chunks, statistics.frequencies(term)[field]),
    ),
  }));
  return (chunk) => {
    let score = 0;
    for (const { field, averageLength, weights } of clauses) {
      const terms = chunk[field] ?? [];
      const norm = k1 * (1 - b + (b * terms.length) / averageLength);
      const occurrences = countOf(terms, weights);
      // In the order of the query, so that equal chunks have equal scores to the last bit.
      for (const [term, weight] of weights) {
        const frequency = occurrences.get(term) ?? 0;
        if (frequency > 0) score += (weight * frequency * (k1 + 1)) / (frequency + norm);
      }
    }
    return score;
  };
}

function inverseFrequency(chunks: number, frequency: number): number {
  return Math.log(1 + (chunks - frequency + 0.5) / (frequency + 0.5));
}

function termWeights(
  terms: readonly string[],
  weight: number,
  inverseFrequencyOf: (term: string) => number,
): Map<string, number> {
  const weights = new Map<string, number>();
  for (const term of terms) weights.set(term, (weights.get(term) ?? 0) + weight * inverseFrequencyOf(term));
  return weights;
}

function countOf(terms: readonly string[], wanted: ReadonlyMap<string, unknown>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) if (wanted.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
