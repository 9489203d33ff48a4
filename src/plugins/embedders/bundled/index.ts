// The embedder that works from the first minute: Universal Sentence Encoder lite, English, from packages that are
// installed with kb-mcp. Light to import: the model is loaded in a worker thread when a text is first embedded.
import { definePlugin, pluginApiVersion } from "../../../core/plugin-api.js";
import { BundledEmbedder } from "./embedder.js";
import { bundledOptions, type BundledOptions } from "./options.js";

export default definePlugin({
  name: "bundled",
  version: "1",
  apiVersion: pluginApiVersion,
  embedders: [
    {
      id: "bundled",
      optionsSchema: bundledOptions,
      create: (options: BundledOptions, host) => new BundledEmbedder(options, host),
    },
  ],
});
