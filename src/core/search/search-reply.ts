// The question put to search and the answer, in the form that tools and `--format json` show: keys are
// snake_case because they are the public contract.

/** Filters hold together (AND); an absent filter filters nothing. */
export interface SearchFilters {
  category?: string;
  /** A topic and everything below it. */
  topic?: string;
  /** Globs on the path; one that starts with "!" excludes. */
  path_globs?: string[];
  tags_any?: string[];
  tags_all?: string[];
  /** Inclusive, YYYY-MM-DD. */
  date_from?: string;
  date_to?: string;
  /** Inclusive, 0 to 1. */
  min_quality?: number;
  include_low_quality?: boolean;
}

export interface SearchRequest extends SearchFilters {
  query: string;
  /** 1 to limits.searchLimitMax. */
  limit?: number;
  /** Below it, the reply says low_confidence. 0 to 1. */
  min_confidence?: number;
  /** Whether the configured reranker orders the best hits; default true. */
  rerank?: boolean;
  /** Chooses hits for variety: one that repeats a better one comes later. */
  mmr?: boolean;
  /** 0 (variety) to 1 (score). */
  mmr_lambda?: number;
  /** Added to the similarity of hits of one document, 0 to 1. */
  mmr_same_doc_penalty?: number;
  /** Lets hits grow to the section they stand in. */
  parent_retriever?: boolean;
  /** Adds to each hit why it stands where it does. For people and evaluation, not for models. */
  explain?: boolean;
}

/** A place in the ranking of one leg: from 1, and the leg's own score, which compares with no other leg's. */
export interface LegRank {
  rank: number;
  score: number;
}

export interface Explanation {
  /** Absent where the leg did not find the passage. */
  lexical?: LegRank;
  vector?: LegRank;
  /** 0 to 1. */
  fused: number;
  /** 0 to 1; absent where no reranker was asked. */
  reranked?: number;
}

export interface SearchHit {
  score: number;
  path: string;
  /** Present only if the document can be read as a resource. */
  uri?: string;
  title: string;
  heading?: string;
  heading_path: string[];
  category?: string;
  topic: string;
  date?: string;
  tags: string[];
  content: string;
  start_line?: number;
  end_line?: number;
  /** [start, end) UTF-16 offsets into content: sorted, disjoint. */
  match_spans: [number, number][];
  /**
   * Only on a hit that has grown: [start, end) UTF-16 offsets into content of the passages that were found, best first.
   */
  expanded_from?: [number, number][];
  /** Only if it was asked for. */
  explanation?: Explanation;
}

export type SearchMode = "hybrid" | "lexical" | "vector";

export interface SearchReply {
  results: SearchHit[];
  /** How likely the answer is among the results, 0 to 1. */
  confidence: number;
  low_confidence: boolean;
  /** The filters that were applied, as understood. */
  filter_applied: SearchFilters;
  mode: SearchMode;
  /** What the reader should know: why a leg stood aside, that indexing is under way, what was shortened. */
  notes: string[];
}
