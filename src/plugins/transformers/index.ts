// An embedder and a reranker that run ONNX models of the Hugging Face hub on this machine. Light to import: the library,
// an optional package, is loaded in a process of its own when a text is first embedded or scored.
import { definePlugin, pluginApiVersion } from "../../core/plugin-api.js";
import { TransformersEmbedder } from "./embedder/embedder.js";
import { knownModel, knownModels } from "./embedder/known-models.js";
import { embedderOptions, type EmbedderOptions } from "./embedder/options.js";
import { embedderSettings } from "./embedder/settings.js";
import { createModelLibrary } from "./models/model-library.js";
import { modelContext, modelRequest } from "./options/model-choice.js";
import { knownReranker, knownRerankers } from "./reranker/known-models.js";
import { rerankerOptions, type RerankerOptions } from "./reranker/options.js";
import { TransformersReranker } from "./reranker/reranker.js";

export default definePlugin({
  name: "transformers",
  version: "1",
  apiVersion: pluginApiVersion,
  embedders: [
    {
      id: "transformers",
      optionsSchema: embedderOptions,
      create: async (options: EmbedderOptions, host) =>
        new TransformersEmbedder(options, await embedderSettings(options, host), host),
      models: (options: EmbedderOptions, host) =>
        createModelLibrary({
          chosen: modelRequest(options),
          known: knownModels.map(({ model, dimensions, languages, quantizedMB }) => ({
            model,
            description: `${languages}, ${dimensions} dimensions, ${quantizedMB} MB quantized`,
          })),
          requestFor: (model) =>
            modelRequest({ ...options, model: knownModel(model)?.model ?? model, revision: "main" }),
          context: modelContext(options, host, host.signal),
        }),
    },
  ],
  rerankers: [
    {
      id: "transformers",
      optionsSchema: rerankerOptions,
      create: (options: RerankerOptions, host) => TransformersReranker.create(options, host),
      models: (options: RerankerOptions, host) =>
        createModelLibrary({
          chosen: modelRequest(options),
          known: knownRerankers.map(({ model, languages, quantizedMB }) => ({
            model,
            description: `reranker, ${languages}, ${quantizedMB} MB quantized`,
          })),
          requestFor: (model) =>
            modelRequest({ ...options, model: knownReranker(model)?.model ?? model, revision: "main" }),
          context: modelContext(options, host, host.signal),
        }),
    },
  ],
});
