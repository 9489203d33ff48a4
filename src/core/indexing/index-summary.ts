// What an index run reports while it runs and at its end.

export interface IndexProgress {
  /** "scan": walking and comparing; "index": parsing, embedding, storing; "finish": search structures. */
  phase: "scan" | "index" | "finish";
  filesDone: number;
  filesTotal: number;
  chunksDone: number;
  /** When the run began, in milliseconds since 1970; absent while it waits to begin. */
  startedAt?: number;
  /** Milliseconds since the run began, when this was reported. */
  elapsedMs: number;
}

export interface SkippedFile {
  path: string;
  /** Error code. */
  code: string;
  reason: string;
}

export interface FileWarning {
  path: string;
  warning: string;
}

/** A run that has not begun to look at files. */
export const noProgress: IndexProgress = {
  phase: "scan",
  filesDone: 0,
  filesTotal: 0,
  chunksDone: 0,
  elapsedMs: 0,
};

/** In the form that `--format json` and rebuild_index show. */
export interface IndexSummary {
  added: number;
  updated: number;
  unchanged: number;
  renamed: number;
  deleted: number;
  /** Files that could not be read, parsed or embedded; what was stored of them before is kept. */
  skipped: SkippedFile[];
  warnings: FileWarning[];
  /** Documents, chunks and vectorless chunks in the index after the run. */
  documents: number;
  chunks: number;
  declined_by_embedder: number;
  /** Chunks that were given to the embedder in this run. */
  embedded: number;
  seconds: number;
}

export interface IndexOptions {
  /** Build everything anew. */
  force?: boolean;
  signal?: AbortSignal;
  onProgress?: (progress: IndexProgress) => void;
  /** The run waits for this; it counts as under way meanwhile, so that replies say so from the first one on. */
  after?: Promise<unknown>;
  /** From now on nobody waits for an index that is being filled: replies say that indexing is under way. */
  background?: boolean;
}
