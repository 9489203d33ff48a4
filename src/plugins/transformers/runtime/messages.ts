// What kb-mcp and the process of a model say to each other. The process has at most one piece of work at a time.

/** The first message: what to load. */
export interface LoadRequest {
  /** Absolute path of the folder that holds the model. */
  readonly folder: string;
  /** The model as messages name it. */
  readonly name: string;
  /** Path within the folder, such as "onnx/model_quantized.onnx". */
  readonly onnxFile: string;
  /** Tokens that are read of a text, those that the tokenizer adds included. */
  readonly window: number;
  /**
   * Whether the weights have eight bits. Such a model rounds by the largest number of all that is computed at once, so a
   * text beside others would get another vector (measured: cosine .95 to .99).
   */
  readonly quantized: boolean;
  /** Threads that compute. */
  readonly threads: number;
  /** How a text's vectors become one; absent for a model that scores pairs. */
  readonly embedding?: {
    readonly pooling: Pooling;
    readonly dimensions: number;
  };
}

export type Pooling = "mean" | "cls";

export type Work =
  /** Vectors, null for a text that the model makes none of. */
  | { readonly kind: "embed"; readonly texts: readonly string[] }
  /** Tokens of each text, those that the tokenizer adds included. */
  | { readonly kind: "count"; readonly texts: readonly string[] }
  /** A score for each text, higher for a better answer. */
  | { readonly kind: "score"; readonly query: string; readonly texts: readonly string[] };

/** One entry for each text of the work, in order. */
export type Answer = readonly (Float32Array | number | null)[];

export type ProcessReply =
  /** Once, when the model is loaded. */
  | { readonly type: "ready" }
  /** In its place. The process ends. */
  | {
      readonly type: "refused";
      readonly code: "KB_MODEL_LIBRARY" | "KB_MODEL_INVALID";
      readonly message: string;
    }
  | { readonly type: "answer"; readonly answer: Answer }
  /** The work failed; the process goes on. */
  | { readonly type: "failed"; readonly message: string };
