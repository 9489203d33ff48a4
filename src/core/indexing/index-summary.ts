// What an index run reports while it runs and at its end.

export interface IndexProgress {
  /** "scan": walking and comparing; "index": parsing, embedding, storing; "finish": search structures. */
  phase: "scan" | "index" | "finish";
  filesDone: number;
  filesTotal: number;
  chunksDone: number;
  /** Milliseconds since the run began. */
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
}
