// Okapi BM25 over the statistics of the lexicon. The scores depend on what is stored now and on nothing else.
import type { TermField, TextQuery } from "../../../core/plugin-api.js";
import type { TermStatistics } from "./lexicon.js";
import type { Occurrences } from "./term-scanner.js";

/** The constants LanceDB uses too, so that its order is a good first guess. */
const k1 = 1.2;
const b = 0.75;

/** The distinct terms that a query looks for in a field. */
export function termsIn(field: TermField, { clauses }: TextQuery): string[] {
  return [...new Set(clauses.filter((clause) => clause.field === field).flatMap(({ terms }) => terms))];
}

/** One chunk's fields, with counts of the terms of `termsIn`; a field that no clause names may be left out. */
export type FieldOccurrences = Readonly<Partial<Record<TermField, Occurrences>>>;

/** A function that scores a chunk. A term given twice counts twice. */
export function bm25(query: TextQuery, statistics: TermStatistics): (chunk: FieldOccurrences) => number {
  const clauses = query.clauses.map(({ field, terms, weight }) => {
    const slots = termsIn(field, query);
    const weights = termWeights(terms, weight, (term) =>
      inverseFrequency(statistics.chunks, statistics.frequencies(term)[field]),
    );
    return {
      field,
      averageLength: statistics.lengths[field] / statistics.chunks,
      weights: [...weights].map(([term, weight]) => ({ slot: slots.indexOf(term), weight })),
    };
  });
  return (chunk) => {
    let score = 0;
    for (const { field, averageLength, weights } of clauses) {
      const occurrences = chunk[field];
      if (occurrences === undefined) continue;
      const norm = k1 * (1 - b + (b * occurrences.length) / averageLength);
      // In the order of the query, so that equal chunks have equal scores to the last bit.
      for (const { slot, weight } of weights) {
        const frequency = occurrences.counts[slot] ?? 0;
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
