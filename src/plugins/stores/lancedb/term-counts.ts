// Counts terms of chunks: in how many chunks each occurs, and how long the fields are.
import type { ChunkTerms, TermField } from "../../../core/plugin-api.js";
import { termColumns, type Row } from "./columns.js";

/** One number for each field. */
export type FieldCounts = Record<TermField, number>;

/** Keys beside the terms, which are never empty and hold no white space. */
export const lengthsKey = "";
export const chunksKey = " ";
/** How many rows the lexicon had when its sums were last worked out. */
export const summedRowsKey = "\t";

/** Sums to be added to the statistics; the sums of a chunk that goes are subtracted. */
export class TermCounts {
  readonly #counts = new Map<string, FieldCounts>();

  /** @param sign 1 for a chunk that comes, -1 for one that goes */
  addChunk(terms: ChunkTerms, sign: 1 | -1): void {
    for (const field of termColumns) {
      this.#add(lengthsKey, field, sign * terms[field].length);
      for (const term of new Set(terms[field])) this.#add(term, field, sign);
      this.#add(chunksKey, field, sign);
    }
  }

  /** Adds one row of the lexicon. */
  addRow(row: Readonly<Record<string, unknown>>): void {
    for (const field of termColumns) this.#add(String(row["term"]), field, Number(row[field]));
  }

  get(key: string): Readonly<FieldCounts> {
    return this.#counts.get(key) ?? { text: 0, title: 0, bigrams: 0 };
  }

  /** Rows of the lexicon table, in order of term; sums that are zero need none. */
  rows(): Row[] {
    // Strings alone sort three times as fast as rows do.
    return [...this.#counts.keys()].sort().flatMap((term): Row[] => {
      const counts = this.get(term);
      return counts.text !== 0 || counts.title !== 0 || counts.bigrams !== 0 ? [{ term, ...counts }] : [];
    });
  }

  #add(key: string, field: TermField, amount: number): void {
    if (amount === 0) return;
    let counts = this.#counts.get(key);
    if (counts === undefined) this.#counts.set(key, (counts = { text: 0, title: 0, bigrams: 0 }));
    counts[field] += amount;
  }
}
