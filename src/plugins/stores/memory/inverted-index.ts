// Which passages hold a term, for each field, kept up to date passage by passage; Okapi BM25 over it. The scores
// depend on what is there now and on nothing else.
import type { TermField, TextQuery } from "../../../core/plugin-api.js";
import type { Passage } from "./entry.js";

const k1 = 1.2;
const b = 0.75;

const fields = ["text", "title", "bigrams"] as const satisfies readonly TermField[];

/** How often a term occurs, by slot. */
type Postings = Map<number, number>;

interface FieldIndex {
  readonly terms: Map<string, Postings>;
  /** Number of terms, by slot. */
  readonly lengths: number[];
  totalLength: number;
}

export interface Scored {
  readonly passage: Passage;
  readonly score: number;
}

export class InvertedIndex {
  readonly #fields: Readonly<Record<TermField, FieldIndex>> = {
    text: { terms: new Map(), lengths: [], totalLength: 0 },
    title: { terms: new Map(), lengths: [], totalLength: 0 },
    bigrams: { terms: new Map(), lengths: [], totalLength: 0 },
  };
  /** Passages are numbered, so that scores are summed in an array; a number is used again when its passage is gone. */
  readonly #slots = new Map<Passage, number>();
  readonly #passages: (Passage | undefined)[] = [];
  readonly #free: number[] = [];

  /** Number of passages. */
  get size(): number {
    return this.#slots.size;
  }

  add(passage: Passage): void {
    const slot = this.#free.pop() ?? this.#passages.length;
    this.#passages[slot] = passage;
    this.#slots.set(passage, slot);
    for (const field of fields) {
      const index = this.#fields[field];
      const terms = passage.row.terms[field];
      index.lengths[slot] = terms.length;
      index.totalLength += terms.length;
      for (const term of terms) {
        const postings = index.terms.get(term);
        if (postings === undefined) index.terms.set(term, new Map([[slot, 1]]));
        else postings.set(slot, (postings.get(slot) ?? 0) + 1);
      }
    }
  }

  remove(passage: Passage): void {
    const slot = this.#slots.get(passage);
    if (slot === undefined) return;
    this.#slots.delete(passage);
    this.#passages[slot] = undefined;
    this.#free.push(slot);
    for (const field of fields) {
      const index = this.#fields[field];
      const terms = passage.row.terms[field];
      index.totalLength -= terms.length;
      for (const term of terms) {
        const postings = index.terms.get(term);
        postings?.delete(slot);
        if (postings?.size === 0) index.terms.delete(term);
      }
    }
  }

  /** In how many passages a term occurs. */
  frequency(field: TermField, term: string): number {
    return this.#fields[field].terms.get(term)?.size ?? 0;
  }

  /** Every passage that holds a term of the query, in no particular order. Touches no other passage. */
  score({ clauses }: TextQuery): Scored[] {
    const scores = new Float64Array(this.#passages.length);
    const touched: number[] = [];
    for (const { field, terms, weight } of clauses) {
      if (!(weight > 0)) continue;
      const { terms: held, lengths, totalLength } = this.#fields[field];
      const averageLength = totalLength / this.size;
      // In the order of the query, so that equal passages have equal scores to the last bit.
      for (const [term, times] of counted(terms)) {
        const postings = held.get(term);
        if (postings === undefined) continue;
        const factor = times * weight * inverseFrequency(this.size, postings.size) * (k1 + 1);
        for (const [slot, count] of postings) {
          const norm = k1 * (1 - b + (b * (lengths[slot] ?? 0)) / averageLength);
          const before = scores[slot] ?? 0;
          if (before === 0) touched.push(slot);
          scores[slot] = before + (factor * count) / (count + norm);
        }
      }
    }
    return touched.flatMap((slot) => {
      const passage = this.#passages[slot];
      return passage === undefined ? [] : { passage, score: scores[slot] ?? 0 };
    });
  }
}

function counted(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

function inverseFrequency(passages: number, frequency: number): number {
  return Math.log(1 + (passages - frequency + 0.5) / (frequency + 0.5));
}
