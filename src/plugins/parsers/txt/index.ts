// Plain text: one section, no title, no metadata.
import {
  definePlugin,
  pluginApiVersion,
  type ParsedDocument,
  type Parser,
} from "../../../core/plugin-api.js";

export default definePlugin({
  name: "txt",
  version: "1",
  apiVersion: pluginApiVersion,
  parsers: [
    { id: "txt", extensions: ["txt", "text"], mediaType: "text/plain", binary: false, create: () => parser },
  ],
});

const parser: Parser = { parse: ({ text }) => parseText(text) };

/** The section runs from the first to the last line that is not blank; a blank file has none. */
function parseText(text: string): ParsedDocument {
  const lines = text.split(/\r\n?|\n/);
  const isWritten = (line: string): boolean => line.trim() !== "";
  const first = lines.findIndex(isWritten);
  const last = lines.findLastIndex(isWritten);
  if (first === -1) return { frontmatter: {}, sections: [], text };
  const section = {
    level: 0,
    text: lines.slice(first, last + 1).join("\n"),
    startLine: first + 1,
    endLine: last + 1,
  };
  return { frontmatter: {}, sections: [section], text };
}
