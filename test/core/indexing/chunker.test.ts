import { describe, expect, it } from "@jest/globals";
import { chunkDocument, type Chunk } from "../../../src/core/indexing/chunker.js";
import type { ParsedDocument, Section } from "../../../src/core/plugin-api.js";
import plugin from "../../../src/plugins/parsers/md/index.js";
import { parseText } from "../../support/parse-text.js";

const usual = { target: 100, max: 160 };

async function chunk(text: string, size = usual, exclude: string[] = []): Promise<Chunk[]> {
  return chunkDocument(await parseText(plugin, text), size, exclude);
}

const words = (tokens: number): string =>
  "word"
    .repeat(tokens)
    .replace(/(word){8}/g, "$&\n")
    .trim();
const paragraph = (tokens: number): string => Array.from({ length: tokens }, () => "abc").join(" ");

function withoutLines(sections: Section[]): ParsedDocument {
  return { frontmatter: {}, sections, text: sections.map(({ text }) => text).join("\n") };
}

describe("chunks", () => {
  it("follow headings and carry their path, level and lines", async () => {
    const text = `# Guide\n\n${paragraph(60)}\n\n## Setup\n\n${paragraph(70)}\n\n### Windows\n\n${paragraph(80)}\n`;
    const chunks = await chunk(text);
    expect(
      chunks.map(({ headingPath, level, startLine, endLine }) => [headingPath, level, startLine, endLine]),
    ).toEqual([
      [["Guide"], 1, 1, 3],
      [["Guide", "Setup"], 2, 5, 7],
      [["Guide", "Setup", "Windows"], 3, 9, 11],
    ]);
    expect(chunks.map(({ heading, position }) => [heading, position])).toEqual([
      ["Guide", 0],
      ["Setup", 1],
      ["Windows", 2],
    ]);
  });

  it("have a path from the headings above only", async () => {
    const text = ["# A", "### deep", "## shallow", "# B"]
      .map((line) => `${line}\n\n${paragraph(50)}\n\n`)
      .join("");
    expect((await chunk(text)).map(({ headingPath }) => headingPath)).toEqual([
      ["A"],
      ["A", "deep"],
      ["A", "shallow"],
      ["B"],
    ]);
  });

  it("before the first heading have no heading", async () => {
    const [first] = await chunk(`${paragraph(50)}\n\n# A\n\n${paragraph(50)}`);
    expect(first).toMatchObject({ headingPath: [], level: 0 });
    expect(first).not.toHaveProperty("heading");
  });

  it("leave out an empty heading's title", async () => {
    expect((await chunk(`# A\n\n${paragraph(60)}\n\n##\n\n${paragraph(60)}`))[1]).toMatchObject({
      headingPath: ["A"],
      level: 2,
    });
  });

  it("of a blank document are none", async () => {
    expect(await chunk("")).toEqual([]);
    expect(await chunk(" \n\n\t\n")).toEqual([]);
    expect(await chunk("---\ntitle: only metadata\n---\n")).toEqual([]);
  });
});

describe("a long section", () => {
  it("is split at paragraph ends near the target", async () => {
    const chunks = await chunk(`# A\n\n${Array.from({ length: 9 }, () => paragraph(40)).join("\n\n")}\n`);
    expect(chunks).toHaveLength(5);
    for (const { content, headingPath, tokens } of chunks) {
      expect(headingPath).toEqual(["A"]);
      expect(tokens).toBeLessThanOrEqual(usual.max);
      expect(content.split("\n\n").every((part) => part === "# A" || part === paragraph(40))).toBe(true);
    }
  });

  it("is not split if it fits", async () => {
    expect(await chunk(`# A\n\n${paragraph(70)}\n\n${paragraph(70)}`)).toHaveLength(1);
  });

  it("is split at line ends where a paragraph does not fit", async () => {
    const text = Array.from({ length: 40 }, (_, index) => `${index} ${paragraph(8)}`).join("\n");
    const chunks = await chunk(text);
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.map(({ content }) => content).join("\n")).toBe(text);
  });

  it.each([
    ["English", "This is one sentence of ten words, more or less. "],
    ["Japanese", "これは日本語の一文で、だいたい三十文字の長さがあります。"],
    ["shouting", "もう一度やってみて！うまくいきましたか？はい。"],
  ])("is split at sentence ends where a line does not fit (%s)", async (_, sentence) => {
    const text = sentence.repeat(60).trim();
    const chunks = await chunk(text);
    expect(chunks.length).toBeGreaterThan(3);
    expect(chunks.map(({ content }) => content).join("")).toBe(text);
    for (const { content, startLine, endLine } of chunks) {
      expect(content.trim()).toMatch(/[.。！？]$/u);
      expect([startLine, endLine]).toEqual([1, 1]);
    }
  });

  it("is split at spaces and between characters where nothing else is left", async () => {
    const spaced = "abcdefg ".repeat(400);
    for (const { content } of await chunk(spaced)) expect(content).toMatch(/^abcdefg(?: abcdefg)* ?$/);
    const solid = "𠮷".repeat(500);
    const chunks = await chunk(solid);
    expect(chunks.map(({ content }) => content).join("")).toBe(solid);
    for (const { content } of chunks) expect(content).toMatch(/^(?:𠮷)+$/u);
  });

  it("keeps its heading with the beginning of its text", async () => {
    for (const body of [paragraph(155), `${paragraph(100)}. ${paragraph(100)}.`, words(300)])
      expect((await chunk(`## Heading\n\n${body}`))[0]?.content).toMatch(/^## Heading\n\n\w/);
  });

  it("does not end in a scrap", async () => {
    const chunks = await chunk(`# A\n\n${[90, 90, 5].map(paragraph).join("\n\n")}`);
    expect(chunks.map(({ tokens }) => tokens > 30)).toEqual([true, true]);
  });

  it("keeps fences and tables whole where they fit", async () => {
    const code = Array.from({ length: 30 }, (_, index) => (index % 5 === 0 ? "" : `line ${index};`)).join(
      "\n",
    );
    const fence = `\`\`\`js\n${code}\n\`\`\``;
    const row = "| a cell | another |\n";
    const table = `| A | B |\n|---|---|\n${row.repeat(18)}`.trim();
    const chunks = await chunk(
      `# A\n\n${paragraph(60)}\n\n${fence}\n\n${paragraph(60)}\n\n${table}\n\n${paragraph(60)}`,
    );
    expect(chunks.some(({ content }) => content.includes(fence))).toBe(true);
    expect(chunks.some(({ content }) => content.includes(table))).toBe(true);
  });

  it("splits a fence that does not fit at line ends", async () => {
    const text = `\`\`\`\n${"some code here;\n".repeat(100)}\`\`\``;
    const chunks = await chunk(text);
    expect(chunks.map(({ content }) => content).join("\n")).toBe(text);
  });
});

describe("small sections", () => {
  it("are joined with their neighbours under the same parent, under its path", async () => {
    const terms = Array.from({ length: 12 }, (_, index) => `## Term ${index}\n\n${paragraph(12)}`).join(
      "\n\n",
    );
    const chunks = await chunk(`# Glossary\n\n${terms}`);
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.length).toBeLessThan(5);
    for (const { headingPath, tokens } of chunks) {
      expect(headingPath).toEqual(["Glossary"]);
      expect(tokens).toBeLessThanOrEqual(usual.target);
    }
  });

  it("are taken in by the section they stand under", async () => {
    const chunks = await chunk(`# A\n\n${paragraph(60)}\n\n## Note\n\n${paragraph(10)}`);
    expect(chunks).toHaveLength(1);
    expect(chunks[0]?.headingPath).toEqual(["A"]);
  });

  it("are not joined across chapters, nor with a section of some size", async () => {
    const chapters = `# A\n\n${paragraph(60)}\n\n## A1\n\n${paragraph(60)}\n\n## A2\n\n${paragraph(8)}\n\n# B\n\n${paragraph(8)}`;
    expect((await chunk(chapters)).map(({ headingPath }) => headingPath)).toEqual([
      ["A"],
      ["A", "A1"],
      ["A", "A2"],
      ["B"],
    ]);
  });

  it("before the first heading go with what follows", async () => {
    expect((await chunk(`A line.\n\n# A\n\n${paragraph(10)}`)).map(({ heading }) => heading)).toEqual(["A"]);
  });

  it("are joined where a parser knows no lines, too", () => {
    const pages = Array.from({ length: 3 }, (_, page) => ({ level: 0, text: `page ${page}` }));
    const chunks = chunkDocument(withoutLines(pages), usual);
    expect(chunks).toMatchObject([{ content: "page 0\n\npage 1\n\npage 2", level: 0 }]);
    expect(chunks[0]).not.toHaveProperty("startLine");
  });
});

describe("a heading with nothing under it", () => {
  it("goes with what follows and is shown as that", async () => {
    const chunks = await chunk(`# Title\n\n---\n\n## Part\n\n### Detail\n\n${paragraph(60)}`);
    expect(chunks).toMatchObject([
      { heading: "Detail", headingPath: ["Title", "Part", "Detail"], startLine: 1 },
    ]);
  });

  it("goes with the first part of a section that is split", async () => {
    const chunks = await chunk(`Title\n=====\n\n## Part\n\n${[80, 80, 80].map(paragraph).join("\n\n")}`);
    expect(chunks[0]?.content).toMatch(/^Title\n=====\n\n## Part\n\n\w/);
    expect(chunks.every(({ heading }) => heading === "Part")).toBe(true);
  });

  it("goes with the passage above where nothing follows", async () => {
    const chunks = await chunk(`# A\n\n## A1\n\n${paragraph(60)}\n\n## A2\n\n# B\n\n${paragraph(60)}`);
    expect(
      chunks.map(({ headingPath, startLine, endLine }) => [headingPath.join(), startLine, endLine]),
    ).toEqual([
      ["A,A1", 1, 7],
      ["B", 9, 11],
    ]);
  });

  it("is a chunk where there is nothing else", async () => {
    expect(await chunk("# A\n\n## B\n")).toMatchObject([{ content: "# A\n\n## B" }]);
  });
});

describe("excluded headings", () => {
  const text = `# A\n\n${paragraph(50)}\n\n## Change Log\n\nold\n\n### 2023\n\nolder\n\n## Next\n\n${paragraph(50)}`;

  it("take their subsections with them, whatever the case and width", async () => {
    const chunks = await chunk(text, usual, [" ｃhange log "]);
    expect(chunks.map(({ heading }) => heading)).toEqual(["A", "Next"]);
  });

  it("are never bridged by a join", async () => {
    const short = "# A\n\nbefore\n\n## Out\n\nsecret\n\n## B\n\nafter";
    for (const { content } of await chunk(short, usual, ["out"])) expect(content).not.toContain("secret");
  });
});
