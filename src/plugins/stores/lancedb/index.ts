// The built-in store: a LanceDB database, in this plugin's data directory unless the options name another place.
// Light to import: LanceDB is loaded by the first call that needs it.
import { join } from "node:path";
import { definePlugin, pluginApiVersion } from "../../../core/plugin-api.js";
import { Database } from "./database.js";
import { optionsSchema, type LanceDbOptions } from "./options.js";
import { LanceDbStore } from "./store.js";

/** The folder of the index within the plugin's data directory. */
const indexFolder = "index";

export default definePlugin({
  name: "lancedb",
  version: "1",
  apiVersion: pluginApiVersion,
  stores: [
    {
      id: "lancedb",
      optionsSchema,
      location: ({ uri }: LanceDbOptions) => uri,
      create: ({ uri, ...remote }: LanceDbOptions, host) =>
        new LanceDbStore(new Database(uri ?? join(host.dataDirectory, indexFolder), undefined, remote)),
    },
  ],
});
