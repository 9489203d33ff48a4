// The embedder that asks a server: OpenAI's, or any that answers like it. Light to import: the client library is loaded
// with the first request.
import { definePlugin, pluginApiVersion } from "../../../core/plugin-api.js";
import { OpenAiEmbedder } from "./embedder.js";
import { openAiOptions, type OpenAiOptions } from "./options.js";

export default definePlugin({
  name: "openai",
  version: "1",
  apiVersion: pluginApiVersion,
  embedders: [
    {
      id: "openai",
      optionsSchema: openAiOptions,
      create: (options: OpenAiOptions, host) => new OpenAiEmbedder(options, host),
    },
  ],
});
