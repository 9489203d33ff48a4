// The options of the reranker transformers.
import { readModelChoice, type ModelChoice } from "../options/model-choice.js";
import { optionsSchema } from "../options/option-reader.js";
import { knownReranker } from "./known-models.js";

export interface RerankerOptions extends ModelChoice {
  /** Tokens that are read of a query and a text together. */
  readonly maxTokens: number | undefined;
}

/** Small enough to be downloaded without a thought, and fast enough to wait for. */
const defaultModel = "Xenova/ms-marco-MiniLM-L-6-v2";

export const rerankerOptions = optionsSchema<RerankerOptions>((options) => ({
  ...readModelChoice(options, defaultModel, (model) => knownReranker(model)?.model ?? model),
  maxTokens: options.number("max_tokens", { least: 32, most: 8192 }),
}));
