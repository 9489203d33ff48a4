import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { estimateTokens } from "../../../src/core/estimate-tokens.js";
import { chunkDocument } from "../../../src/core/indexing/chunker.js";
import { splitLines } from "../../../src/core/text/lines.js";
import plugin from "../../../src/plugins/parsers/md/index.js";
import { markdown } from "../../support/markdown-arbitrary.js";
import { parseText } from "../../support/parse-text.js";

describe("whatever the document and the sizes", () => {
  const sizes = fc
    .tuple(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 0, max: 120 }))
    .map(([target, more]) => ({ target, max: target + more }));

  it("every written line outside the frontmatter is in chunks exactly once, and no chunk is too large", async () => {
    await fc.assert(
      fc.asyncProperty(markdown, sizes, async (text, size) => {
        const parsed = await parseText(plugin, text);
        const chunks = chunkDocument(parsed, size);
        const lines = splitLines(parsed.text);
        // A line in several parts is put together again; everything else is whole lines.
        const seen = new Map<number, string>();
        for (const { content, startLine = 0, endLine = 0, tokens, position } of chunks) {
          const parts = content.split("\n");
          expect(parts).toHaveLength(endLine - startLine + 1);
          parts.forEach((part, index) =>
            seen.set(startLine + index, (seen.get(startLine + index) ?? "") + part),
          );
          expect(tokens).toBe(estimateTokens(content));
          expect(tokens).toBeLessThanOrEqual(Math.max(size.max, 1));
          expect(chunks[position]?.content).toBe(content);
        }
        const written = parsed.sections.flatMap(({ startLine = 0, endLine = 0 }) =>
          Array.from({ length: endLine - startLine + 1 }, (_, index) => startLine + index),
        );
        for (const [index, line] of lines.entries()) {
          const got = seen.get(index + 1);
          if (line.trim() !== "" && written.includes(index + 1)) expect(got).toBe(line);
          else if (got !== undefined) expect(got).toBe(line);
        }
      }),
      { numRuns: 400 },
    );
  });

  it("blank lines that leave no room for what follows end the chunk", async () => {
    const parsed = await parseText(plugin, `# A\n${"\n".repeat(300)}${"word ".repeat(200)}\n`);
    for (const { tokens } of chunkDocument(parsed, { target: 40, max: 60 }))
      expect(tokens).toBeLessThanOrEqual(60);
  });

  it("nothing is lost where a parser knows no lines", async () => {
    await fc.assert(
      fc.asyncProperty(markdown, sizes, async (text, size) => {
        const parsed = await parseText(plugin, text);
        const sections = parsed.sections.map(({ heading, level, text: own }) =>
          heading === undefined ? { level, text: own } : { heading, level, text: own },
        );
        const chunks = chunkDocument({ ...parsed, sections }, size);
        const squeeze = (texts: string[]): string => texts.join("").replace(/\s+/g, "");
        expect(squeeze(chunks.map(({ content }) => content))).toBe(
          squeeze(sections.map((section) => section.text)),
        );
      }),
    );
  });
});

describe("long input", () => {
  it.each([
    ["sentences", "The quick brown fox jumps over the lazy dog. ".repeat(20_000)],
    ["Japanese", "日本語の文章が改行なしでどこまでも続いています。".repeat(20_000)],
    ["no boundary at all", "x".repeat(1_000_000)],
    ["spaces", `${" ".repeat(1_000_000)}x`],
    ["table-like", "|-".repeat(500_000)],
    ["list-like", "- ".repeat(500_000)],
  ])("in one line is cut in time that grows with its length (%s)", (_, line) => {
    // Quadratic time would take minutes here and meet the test's time limit.
    const section = { level: 0, text: line, startLine: 1, endLine: 1 };
    const chunks = chunkDocument(
      { frontmatter: {}, sections: [section], text: line },
      { target: 300, max: 450 },
    );
    expect(chunks.map(({ content }) => content).join("")).toHaveLength(line.length);
  });
});
