// What an evaluation is asked and what it answers, in the form that `--format json` shows: keys are snake_case because
// they are the public contract.
import type { SearchMode } from "../search/search-reply.js";
import type { FingerprintPart } from "./fingerprint-parts.js";
import type { Measures } from "./metrics.js";
import type { Leg } from "./rankings.js";

export interface EvalRequest {
  /** The golden file, absolute. */
  golden: string;
  /** Documents within which an answer counts as found; default `[search].limit`. */
  limit?: number;
  /** Parts of the fingerprint in which the run compared with may differ. */
  across?: FingerprintPart[];
  /** How much a measure may fall without counting as a regression; default 0. */
  tolerance?: number;
  /** A run with a regression is kept as failed, and no later run is compared with it. */
  failOnRegression?: boolean;
  onProgress?: (done: number, total: number) => void;
}

/**
 * Why an expected place was not found early enough:
 *
 * - `not_indexed`: the index has no such document
 * - `no_such_heading`: the document has no such heading
 * - `hidden`: the quality filter hides all of its passages
 * - `not_found`: in the index, but none of its passages is among the best 100 of a leg
 * - `outranked`: a leg found it, others came first
 */
export type MissReason = "not_indexed" | "no_such_heading" | "hidden" | "not_found" | "outranked";

export interface MissedTarget {
  path: string;
  heading?: string;
  reason: MissReason;
  /** Among the documents that each leg ranked, counted from 1; absent where it is not among the leg's best 100 passages. */
  ranks: Partial<Record<Leg, number>>;
  /** A path or heading that may have been meant. */
  nearest?: string;
}

/** A question for which an expected place is not within the limit. */
export interface Miss {
  query: string;
  id?: string;
  tag?: string;
  /** Of the golden file. */
  line: number;
  limit: number;
  /** Expected places, and how many of them are within the limit. */
  expected: number;
  found: number;
  missing: MissedTarget[];
  /** Documents that came first, at most three. */
  instead: string[];
  /** "lexical" where the vector leg stood aside, as search says it. */
  mode: SearchMode;
}

/** A document that quotes a question nearly word for word. */
export interface Quotation {
  query: string;
  line: number;
  path: string;
  start_line?: number;
  /** Share of the question that it holds, 0 to 1. */
  containment: number;
}

export interface Comparison {
  /** When the earlier run was. */
  at: string;
  /** In what the runs differ; only what was allowed to. */
  differs: FingerprintPart[];
  before: Measures;
  /** Measures that fell by more than the tolerance. */
  regressions: (keyof Measures)[];
  /** Questions whose first answer came later than before, or not at all; 0 for not at all. */
  worse: { query: string; line: number; before: number; after: number }[];
  better: { query: string; line: number; before: number; after: number }[];
}

export interface EvalReport {
  documents: number;
  chunks: number;
  /** Questions with an answer, and those where the knowledge base is silent. */
  questions: { answerable: number; unanswerable: number };
  /** By leg; absent where no question has an answer. */
  measures?: Record<Leg, Measures>;
  /** Of fused results, by tag, in the order of the golden file; empty where there are none. */
  by_tag: { tag: string; questions: number; measures: Measures }[];
  /** Questions with low confidence, of those with and without an answer; the area is absent where one kind is. */
  confidence: { low_answerable: number; low_unanswerable: number; area_under_curve?: number };
  /** Questions for which the vector leg stood aside. */
  vector_aside: number;
  limit: number;
  /** In the order of the golden file. */
  misses: Miss[];
  quotations: Quotation[];
  /** With an earlier, comparable run; absent where there is none. */
  comparison?: Comparison;
  /** Where no run is comparable: the last one with the same questions, and in what it differs. */
  incomparable?: { at: string; differs: FingerprintPart[] };
  /** What the reader should know, such as that indexing is under way. */
  notes: string[];
  seconds: number;
}
