// What a golden file means: questions, and where their answers are. Holds no logic.
import type { SearchFilters } from "../search/search-reply.js";

/** A document that answers a question, or a section of it. */
export interface GoldenTarget {
  /** As the knowledge base spells it. */
  readonly path: string;
  /** The text of a heading; the answer is under it. */
  readonly heading?: string;
}

export interface GoldenQuery {
  readonly id?: string;
  /** A label by which figures are also shown. */
  readonly tag?: string;
  readonly query: string;
  /** Empty if and only if the question is not answerable. Never a document both as a whole and by a heading. */
  readonly expected: readonly GoldenTarget[];
  /** false where the knowledge base is silent. */
  readonly answerable: boolean;
  /** Documents within which an answer counts as found; the caller's own where absent. */
  readonly limit?: number;
  readonly filters: SearchFilters;
  /** The line of the golden file where it begins, counted from 1. */
  readonly line: number;
}

export interface GoldenSet {
  readonly queries: readonly GoldenQuery[];
  /** SHA-256 of what is asked and expected, hexadecimal; notes, labels and layout of the file do not count. */
  readonly fingerprint: string;
}
