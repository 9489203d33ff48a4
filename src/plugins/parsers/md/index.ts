// Markdown, with the habits of Obsidian: frontmatter, wiki links, block ids.
import { definePlugin, pluginApiVersion } from "../../../core/plugin-api.js";

export default definePlugin({
  name: "md",
  version: "1",
  apiVersion: pluginApiVersion,
  parsers: [
    {
      id: "md",
      extensions: ["md", "markdown"],
      mediaType: "text/markdown",
      binary: false,
      create: async () => (await import("./parse-markdown.js")).markdownParser,
    },
  ],
});
