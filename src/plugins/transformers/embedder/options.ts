// The options of `[embedder]` with use = "transformers". What is not given here depends on the model, see settings.ts.
import { readModelChoice, type ModelChoice } from "../options/model-choice.js";
import { optionsSchema } from "../options/option-reader.js";
import type { Pooling } from "../runtime/messages.js";
import { knownModel } from "./known-models.js";

export interface EmbedderOptions extends ModelChoice {
  readonly pooling: Pooling | undefined;
  readonly queryPrefix: string | undefined;
  readonly documentPrefix: string | undefined;
  /** Tokens of the model that passages aim at. */
  readonly chunkTokens: number | undefined;
  readonly fusionWeight: number;
}

export const embedderOptions = optionsSchema<EmbedderOptions>((options) => ({
  ...readModelChoice(options, undefined, (model) => knownModel(model)?.model ?? model),
  pooling: options.choice("pooling", ["mean", "cls"]),
  queryPrefix: options.text("query_prefix"),
  documentPrefix: options.text("document_prefix"),
  chunkTokens: options.number("chunk_tokens", { least: 16, most: 8192 }),
  fusionWeight: options.number("fusion_weight", { least: 0, most: 1, whole: false }) ?? 0.5,
}));
