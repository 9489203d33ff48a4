// The built-in store that keeps nothing: an index in the memory of its process, for trials, tests and small folders.
import { definePlugin, pluginApiVersion } from "../../../core/plugin-api.js";
import { createMemoryStore } from "./store.js";

export default definePlugin({
  name: "memory",
  version: "1",
  apiVersion: pluginApiVersion,
  stores: [{ id: "memory", ephemeral: true, create: () => createMemoryStore() }],
});
