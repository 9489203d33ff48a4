import { afterAll, describe, expect, it } from "@jest/globals";
import { createGuardedParser } from "../../../src/core/documents/guarded-parse.js";
import { createParserRegistry } from "../../../src/core/documents/parser-registry.js";
import { chunkDocument } from "../../../src/core/indexing/chunker.js";
import { createLogger } from "../../../src/core/logger.js";
import { analyseChunk } from "../../../src/core/search/analyser/analyse-chunk.js";
import { fold } from "../../../src/core/text/fold.js";
import plugin from "../../../src/plugins/parsers/md/index.js";
import { parseText } from "../../support/parse-text.js";

const never = new AbortController().signal;
const chunkTokens = { target: 40, max: 60 };
const registry = createParserRegistry([
  {
    id: "md",
    version: "1",
    extensions: ["md"],
    mediaType: "text/markdown",
    binary: false,
    owner: "kb-mcp",
    moduleUrl: new URL("../../../dist/plugins/parsers/md/index.js", import.meta.url).href,
    options: {},
  },
]);
const parser = createGuardedParser(registry, createLogger("error"));
afterAll(() => parser.dispose());

const section = (n: number): string => `## Part ${n}\n\nWords of part ${n}. 検索の索引 ${n}。\n`;

describe("the chunks of a document from the parse process", () => {
  it.each([0, 1, 63, 64, 65, 300])(
    "are all there, in order, with their terms (%i sections)",
    async (count) => {
      const text = `---\ntags: [x]\n---\n${Array.from({ length: count }, (_, n) => section(n)).join("\n")}`;
      const options = { chunkTokens: { target: 8, max: 60 }, excludeHeadings: ["part 3"] };
      const bytes = new TextEncoder().encode(text);
      const { chunks, ...outline } = await parser.readChunks("a/note.md", bytes, options, never);
      const parsed = await parseText(plugin, text, "a/note.md");
      const expected = chunkDocument(parsed, options.chunkTokens, options.excludeHeadings).map((chunk) => {
        const terms = analyseChunk({ path: "a/note.md", title: "note", tags: ["x"], ...chunk });
        return { path: "a/note.md", ...chunk, contentKey: fold(chunk.content), terms, vector: null };
      });
      expect(chunks).toEqual(expected);
      expect(chunks).toHaveLength(count > 3 ? count - 1 : count);
      expect(outline).toMatchObject({
        description: { title: "note", topic: "a", tags: ["x"] },
        lineCount: text.split("\n").length - 1,
        warnings: [],
      });
    },
  );

  it("are those of the document that was asked for, after one that failed", async () => {
    const options = { chunkTokens, excludeHeadings: [] };
    const bad = parser.readChunks("bad.md", Uint8Array.from([1, 0, 2, 0, 0, 7]), options, never);
    const good = parser.readChunks("good.md", new TextEncoder().encode("# Good\n\nText"), options, never);
    await expect(bad).rejects.toMatchObject({ code: "KB_PARSE_ENCODING" });
    expect(await good).toMatchObject({ title: "Good", chunks: [{ path: "good.md", heading: "Good" }] });
  });
});
