// @ts-check
// The plugin: what kb-mcp is told before it reads a file. Imports nothing of kb-mcp at run time, only its types.
import { optionsSchema } from "./options.js";
import { parseOrg } from "./parse-org.js";

/** @type {import("kb-mcp/plugin").ParserFactory<import("./options.js").OrgOptions>} */
const org = {
  id: "org",
  extensions: ["org"],
  mediaType: "text/plain",
  binary: false,
  optionsSchema,
  create: (options) => ({ parse: ({ text }) => parseOrg(text, options) }),
};

/** @type {import("kb-mcp/plugin").Plugin} */
export default {
  name: "kb-mcp-parser-org",
  // That of package.json, which a test compares: with a new version kb-mcp reads all Org files again.
  version: "1.0.0",
  // The version of the plugin interface that this was written for.
  apiVersion: 1,
  parsers: [org],
};
