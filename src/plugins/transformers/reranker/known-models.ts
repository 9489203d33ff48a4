// The rerankers whose conversions are known. Sizes are those of the quantised model file.

export interface KnownReranker {
  /** Whose files are used. */
  readonly model: string;
  readonly aliases: readonly string[];
  /** Tokens that it reads of a query and a text together. */
  readonly window: number;
  readonly languages: string;
  readonly quantizedMB: number;
}

export const knownRerankers: readonly KnownReranker[] = [
  {
    model: "Xenova/bge-reranker-base",
    aliases: ["BAAI/bge-reranker-base"],
    window: 512,
    languages: "English and Chinese",
    quantizedMB: 279,
  },
  {
    model: "Xenova/bge-reranker-large",
    aliases: ["BAAI/bge-reranker-large"],
    window: 512,
    languages: "English and Chinese",
    quantizedMB: 562,
  },
  {
    model: "Xenova/ms-marco-MiniLM-L-6-v2",
    aliases: ["cross-encoder/ms-marco-MiniLM-L-6-v2", "cross-encoder/ms-marco-MiniLM-L6-v2"],
    window: 512,
    languages: "English",
    quantizedMB: 23,
  },
  {
    model: "Xenova/ms-marco-MiniLM-L-12-v2",
    aliases: ["cross-encoder/ms-marco-MiniLM-L-12-v2", "cross-encoder/ms-marco-MiniLM-L12-v2"],
    window: 512,
    languages: "English",
    quantizedMB: 34,
  },
  {
    model: "jinaai/jina-reranker-v1-tiny-en",
    aliases: [],
    window: 8192,
    languages: "English",
    quantizedMB: 33,
  },
  {
    model: "jinaai/jina-reranker-v1-turbo-en",
    aliases: [],
    window: 8192,
    languages: "English",
    quantizedMB: 38,
  },
  {
    model: "mixedbread-ai/mxbai-rerank-xsmall-v1",
    aliases: [],
    window: 512,
    languages: "English",
    quantizedMB: 87,
  },
];

/** By its id, or by the id of the model that it was converted from. */
export function knownReranker(model: string): KnownReranker | undefined {
  return knownRerankers.find((known) => known.model === model || known.aliases.includes(model));
}
