// What the pool and a worker thread say to each other. A worker has at most one request at a time.

export interface EmbedRequest {
  readonly texts: readonly string[];
}

export type WorkerReply =
  /** Once, when the model is loaded. */
  | { readonly type: "ready" }
  /** For each request: unit-length vectors, in order. */
  | { readonly type: "vectors"; readonly vectors: readonly Float32Array[] }
  /** What a library wrote to the thread's stdout or stderr. */
  | { readonly type: "output"; readonly output: string };
