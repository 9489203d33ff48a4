// The models whose right settings are known, as their cards and configurations state them. Sizes are those of the
// quantised model file.
import type { Pooling } from "../runtime/messages.js";

export interface KnownModel {
  /** Whose files are used. */
  readonly model: string;
  /** Other ids of the same model. */
  readonly aliases: readonly string[];
  readonly dimensions: number;
  /** Tokens that it reads of a text. */
  readonly window: number;
  readonly pooling: Pooling;
  readonly queryPrefix: string;
  readonly documentPrefix: string;
  readonly languages: string;
  readonly quantizedMB: number;
}

const none = { queryPrefix: "", documentPrefix: "" };
const e5 = { pooling: "mean", queryPrefix: "query: ", documentPrefix: "passage: " } as const;
/** The instruction that the BGE models were trained with, and others after them. */
const instructed = {
  pooling: "cls",
  queryPrefix: "Represent this sentence for searching relevant passages: ",
  documentPrefix: "",
} as const;
const plain = { pooling: "mean", ...none } as const;

type Row = readonly [
  model: string,
  upstream: string | undefined,
  dimensions: number,
  window: number,
  way: Pick<KnownModel, "pooling" | "queryPrefix" | "documentPrefix">,
  languages: string,
  quantizedMB: number,
];

const rows: readonly Row[] = [
  ["Xenova/multilingual-e5-small", "intfloat", 384, 512, e5, "100 languages", 118],
  ["Xenova/multilingual-e5-base", "intfloat", 768, 512, e5, "100 languages", 279],
  ["Xenova/multilingual-e5-large", "intfloat", 1024, 512, e5, "100 languages", 562],
  ["Xenova/bge-m3", "BAAI", 1024, 8192, { pooling: "cls", ...none }, "100 languages", 570],
  [
    "Xenova/paraphrase-multilingual-MiniLM-L12-v2",
    "sentence-transformers",
    384,
    128,
    plain,
    "50 languages",
    118,
  ],
  ["Xenova/bge-small-en-v1.5", "BAAI", 384, 512, instructed, "English", 34],
  ["Xenova/bge-base-en-v1.5", "BAAI", 768, 512, instructed, "English", 110],
  ["Xenova/bge-large-en-v1.5", "BAAI", 1024, 512, instructed, "English", 337],
  ["Xenova/e5-small-v2", "intfloat", 384, 512, e5, "English", 34],
  ["Xenova/e5-base-v2", "intfloat", 768, 512, e5, "English", 110],
  ["Xenova/e5-large-v2", "intfloat", 1024, 512, e5, "English", 337],
  ["Xenova/gte-small", "thenlper", 384, 512, plain, "English", 34],
  ["Xenova/gte-base", "thenlper", 768, 512, plain, "English", 110],
  ["Xenova/gte-large", "thenlper", 1024, 512, plain, "English", 337],
  ["Xenova/all-MiniLM-L6-v2", "sentence-transformers", 384, 256, plain, "English", 23],
  ["Xenova/all-MiniLM-L12-v2", "sentence-transformers", 384, 128, plain, "English", 34],
  ["Xenova/all-mpnet-base-v2", "sentence-transformers", 768, 384, plain, "English", 110],
  ["Xenova/multi-qa-MiniLM-L6-cos-v1", "sentence-transformers", 384, 512, plain, "English", 23],
  ["Xenova/jina-embeddings-v2-small-en", "jinaai", 512, 8192, plain, "English", 33],
  ["Xenova/jina-embeddings-v2-base-en", "jinaai", 768, 8192, plain, "English", 138],
  ["Snowflake/snowflake-arctic-embed-xs", undefined, 384, 512, instructed, "English", 23],
  ["Snowflake/snowflake-arctic-embed-s", undefined, 384, 512, instructed, "English", 34],
  ["Snowflake/snowflake-arctic-embed-m", undefined, 768, 512, instructed, "English", 110],
  ["Snowflake/snowflake-arctic-embed-l", undefined, 1024, 512, instructed, "English", 337],
  ["mixedbread-ai/mxbai-embed-large-v1", undefined, 1024, 512, instructed, "English", 337],
];

export const knownModels: readonly KnownModel[] = rows.map(
  ([model, upstream, dimensions, window, way, languages, quantizedMB]) => ({
    model,
    aliases: upstream === undefined ? [] : [`${upstream}/${model.slice(model.indexOf("/") + 1)}`],
    dimensions,
    window,
    ...way,
    languages,
    quantizedMB,
  }),
);

/** By its id, or by the id of the model that it was converted from. */
export function knownModel(model: string): KnownModel | undefined {
  return knownModels.find((known) => known.model === model || known.aliases.includes(model));
}

/** By the last part of an id alone, for folders. */
export function knownModelNamed(name: string): KnownModel | undefined {
  return knownModels.find((known) => known.model.endsWith(`/${name}`));
}
