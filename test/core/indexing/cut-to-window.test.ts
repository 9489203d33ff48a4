import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import {
  chunkParts,
  type ChunkedDocument,
  type ChunkTokens,
} from "../../../src/core/indexing/chunk-parts.js";
import { cutToWindow, type Window } from "../../../src/core/indexing/cut-to-window.js";
import { concernsEveryText } from "../../../src/core/indexing/embedder-failure.js";
import { embeddingTexts } from "../../../src/core/indexing/embed-documents.js";
import plugin from "../../../src/plugins/parsers/md/index.js";
import { indexerInFolder } from "../../support/indexer-in-folder.js";
import { letterEmbedder } from "../../support/letter-embedder.js";
import { markdown } from "../../support/markdown-arbitrary.js";
import { parseText } from "../../support/parse-text.js";

const never = new AbortController().signal;

/** Tokens of a text, the two that models add to each included. */
type Tokenizer = (text: string) => number;
const tokenizers: Record<string, Tokenizer> = {
  "a token for each character": (text) => text.length + 2,
  "a token for each word": (text) => text.split(/\s+/u).length + 2,
  "a token for three characters of Japanese": (text) =>
    Math.ceil(text.replace(/[^\p{ASCII}]{3}/gu, "x").length / 4) + 2,
  "five tokens for a digit": (text) => Math.ceil(text.replace(/\d/gu, "12345678901234567890").length / 4) + 2,
};

function window(count: Tokenizer | undefined, chunkTokens: ChunkTokens): Window {
  return {
    model: "test@1",
    chunkTokens,
    ...(count !== undefined && { countTokens: (texts) => Promise.resolve(texts.map(count)) }),
  };
}

async function cutter(text: string): Promise<(chunkTokens: ChunkTokens) => Promise<ChunkedDocument>> {
  const parsed = await parseText(plugin, text);
  return (chunkTokens) => {
    const parts = [...chunkParts("note.md", parsed, { chunkTokens, excludeHeadings: [] })];
    const outline = parts.at(-1)?.outline;
    if (outline === undefined) throw new Error("no outline");
    return Promise.resolve({ ...outline, chunks: parts.flatMap(({ chunks }) => chunks) });
  };
}

const written = ({ chunks }: ChunkedDocument): string =>
  chunks
    .map(({ content }) => content)
    .join("")
    .replace(/\s+/gu, "");

describe("passages for an embedder that counts its own tokens", () => {
  it.each(Object.entries(tokenizers))(
    "never pass its window and lose nothing: %s",
    async (_name, count) => {
      const sizes = fc
        .tuple(fc.integer({ min: 150, max: 400 }), fc.integer({ min: 0, max: 200 }))
        .map(([target, more]) => ({ target, max: target + more }));
      await fc.assert(
        fc.asyncProperty(markdown, sizes, async (text, chunkTokens) => {
          const cut = await cutter(text);
          const document = await cutToWindow("note.md", cut, window(count, chunkTokens), never);
          const counts = embeddingTexts(document).map(count);
          document.chunks.forEach((chunk, index) => {
            const headings = count([document.title, ...chunk.headingPath].join(" > "));
            if (headings * 2 < chunkTokens.max) expect(counts[index]).toBeLessThanOrEqual(chunkTokens.max);
            expect(chunk.position).toBe(index);
            expect(chunk.content.split("\n")).toHaveLength((chunk.endLine ?? 0) - (chunk.startLine ?? 0) + 1);
            expect(text.split("\n")[(chunk.startLine ?? 0) - 1]).toContain(chunk.content.split("\n")[0]);
          });
          expect(written(document)).toBe(written(await cut(chunkTokens)));
        }),
        { numRuns: 60 },
      );
    },
    60_000,
  );

  it("come near to its target where estimates are too high, and stay as estimated where it does not count", async () => {
    const text = `# 索引\n\n${"転置索引は単語から文書を引くための表である。\n\n".repeat(120)}`;
    const cut = await cutter(text);
    const chunkTokens = { target: 200, max: 300 };
    const count = tokenizers["a token for three characters of Japanese"];
    const estimated = await cutToWindow("note.md", cut, window(undefined, chunkTokens), never);
    const counted = await cutToWindow("note.md", cut, window(count, chunkTokens), never);
    expect(estimated).toEqual(await cut(chunkTokens));
    expect(counted.chunks.length * 2).toBeLessThan(estimated.chunks.length);
  });

  it("are small only where its tokens are many", async () => {
    const prose = "An inverted index leads from words to documents. ".repeat(20).trim();
    const text = `${prose}\n\n${"0123456789 ".repeat(60).trim()}\n\n${prose}`;
    const count = tokenizers["five tokens for a digit"];
    const { chunks } = await cutToWindow(
      "note.md",
      await cutter(text),
      window(count, { target: 300, max: 400 }),
      never,
    );
    const withProse = chunks.filter(({ content }) => content.includes("inverted"));
    expect(chunks.length - withProse.length).toBeGreaterThanOrEqual(2);
    expect(withProse.length).toBeLessThanOrEqual(3);
  });

  it.each<[string, unknown, string]>([
    ["nothing", undefined, "asked for the tokens of 1 texts, answered undefined"],
    ["too few counts", [], "asked for the tokens of 1 texts, answered a list of 0"],
    ["no number", [NaN], "asked how many tokens a text takes, answered NaN"],
    ["a word", ["12"], "asked how many tokens a text takes, answered string"],
    ["an empty place", [undefined], "asked how many tokens a text takes, answered undefined"],
    ["less than nothing", [-1], "asked how many tokens a text takes, answered -1"],
  ])("end with what the embedder answered, which ends a run too, if that is %s", async (_, answer, words) => {
    const broken: Window = {
      model: "test@1",
      chunkTokens: { target: 10, max: 20 },
      countTokens: () => Promise.resolve(answer as number[]),
    };
    const cutting = cutToWindow("note.md", await cutter("A few words."), broken, never);
    const error: unknown = await cutting.catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "KB_EMBED_FAILED", message: `The embedder test@1, ${words}` });
    expect(concernsEveryText(error)).toBe(true);
  });

  it("end with an error that names the embedder if it fails", async () => {
    const broken: Window = {
      model: "test@1",
      chunkTokens: { target: 10, max: 20 },
      countTokens: () => Promise.reject(new Error("broken")),
    };
    await expect(cutToWindow("note.md", await cutter("A few words."), broken, never)).rejects.toMatchObject({
      code: "KB_EMBED_FAILED",
      message: "The embedder test@1 failed",
    });
  });

  it("stay as estimated where every count is 0", async () => {
    const cut = await cutter(`# Bees\n\n${"Bees dance. ".repeat(2000)}`);
    const chunkTokens = { target: 200, max: 300 };
    expect(
      await cutToWindow(
        "note.md",
        cut,
        window(() => 0, chunkTokens),
        never,
      ),
    ).toEqual(await cut(chunkTokens));
  });

  it("are what an index run embeds and stores, with the lines they stand in", async () => {
    const notes = await mkdtemp(join(tmpdir(), "kb-mcp-window-"));
    const count: Tokenizer = (text) => text.length;
    const indexer = await indexerInFolder(notes, {
      ...letterEmbedder(),
      chunkTokens: { target: 60, max: 80 },
      countTokens: (texts) => Promise.resolve(texts.map(count)),
    });
    try {
      const lines = Array.from({ length: 30 }, (_, n) => `Line ${n} of a note on bees.`);
      await writeFile(join(notes, "a.md"), lines.join("\n"));
      expect(await indexer.run()).toMatchObject({ added: 1, skipped: [] });
      expect(Math.max(...indexer.embedded.map(count))).toBeLessThanOrEqual(80);
      const chunks = await indexer.store.documentChunks("a.md");
      expect(chunks.length).toBeGreaterThan(8);
      for (const { content, startLine = 0, endLine } of chunks)
        expect(lines.slice(startLine - 1, endLine).join("\n")).toBe(content);
      expect(chunks.map(({ content }) => content).join("\n")).toBe(lines.join("\n"));
    } finally {
      await indexer.close();
      await rm(notes, { recursive: true, force: true });
    }
  });
});
