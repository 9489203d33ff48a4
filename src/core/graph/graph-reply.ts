// The question put to the connection graph and the answer, in the form that the tool and `--format json` show: keys
// are snake_case because they are the public contract.

/** Where the walk sets out: every passage of the start by itself, or one point in their middle. */
export const seedStrategies = ["all_chunks", "centroid"] as const;
export type SeedStrategy = (typeof seedStrategies)[number];

/**
 * The similarity from which two passages count as connected, where none is asked for. Measured on the 240 paragraphs of
 * 48 English articles with the bundled embedder, titles taken away: of the up to five nearest documents at or above
 * it, .57 (by meaning) and .65 (by words) are of the same article, 3.4 and 2.6 for each paragraph, and nine of ten
 * paragraphs have one. At .5 it is .51 and .47 of nearly five; at .7 .68 and .97 of 1.5 and 0.5. For 1,145 Japanese
 * paragraphs, by words, .76 of 4.2.
 */
export const defaultMinSimilarity = 0.6;

export interface GraphRequest {
  /** A path as the index spells it, or a kb://doc/ URI. */
  start: string;
  /** Steps away from the start, 1 to limits.graphDepthMax. */
  depth?: number;
  /** Neighbours of one node at most, 1 to limits.graphFanOutMax. */
  fan_out?: number;
  /** 0 to 1. */
  min_similarity?: number;
  seed_strategy?: SeedStrategy;
  /** Whether a document occurs once (true, the default), or once for each of its passages. */
  dedup_by_path?: boolean;
  category?: string;
  /** A topic and everything below it. */
  topic?: string;
  /** Paths, kb://doc/ URIs or globs that the walk does not enter. */
  exclude_paths?: string[];
  /** The start counted, 1 to limits.graphNodesMax. */
  max_nodes?: number;
  /** Passages of the start that are followed, 1 to limits.graphSeedsMax. */
  max_seed_chunks?: number;
}

/** How two passages were compared: by their vectors, or, where one has none, by the words they share. */
export type ConnectionKind = "meaning" | "words";

/** A document, by the passage through which it is connected. */
export interface GraphNode {
  /** From 0, in the order of the walk: a parent comes before its children. */
  id: number;
  /** Absent for the start. */
  parent_id?: number;
  depth: number;
  /** Similarity to the parent, 0 to 1. Absent for the start. */
  score?: number;
  /** Absent for the start. */
  via?: ConnectionKind;
  path: string;
  /** Present only if the document can be read as a resource. */
  uri?: string;
  title: string;
  heading?: string;
  start_line?: number;
  end_line?: number;
  /** The beginning of the passage, white space collapsed; it ends in "…" where it goes on. */
  snippet: string;
  /** For neighbours of the start: the lines of its passage that they are like. Absent for its centroid. */
  parent_start_line?: number;
  parent_end_line?: number;
}

/** Why something that was asked for is not there. */
export interface GraphTruncation {
  limit: "max_nodes" | "max_seed_chunks" | "candidates" | "max_reply_tokens";
  /** How many nodes, or passages of the start, are missing at least; absent where nobody looked. */
  left_out?: number;
  /** What was cut and how to see more. */
  message: string;
}

/** The settings as they were applied, defaults filled in. */
export interface GraphSettings {
  depth: number;
  fan_out: number;
  min_similarity: number;
  seed_strategy: SeedStrategy;
  dedup_by_path: boolean;
  max_nodes: number;
  max_seed_chunks: number;
  category?: string;
  topic?: string;
  /** As written, each once. */
  exclude_paths?: string[];
}

export interface GraphReply {
  /** Path of the start. */
  start: string;
  settings: GraphSettings;
  /** By depth, within a depth the best connected first. */
  nodes: GraphNode[];
  truncated: boolean;
  truncation: GraphTruncation[];
  /** What the reader should know of the index and of how passages were compared. */
  notes: string[];
}
