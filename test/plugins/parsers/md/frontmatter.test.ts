import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { limits } from "../../../../src/core/limits.js";
import type { JsonValue, ParsedDocument } from "../../../../src/core/plugin-api.js";
import plugin from "../../../../src/plugins/parsers/md/index.js";
import { frontmatter } from "../../../support/markdown-arbitrary.js";
import { parseText } from "../../../support/parse-text.js";

const body = "# Heading\n\ntext";

const withBlock = (block: string): Promise<ParsedDocument> =>
  parseText(plugin, `---\n${block}\n---\n${body}`);

async function fields(block: string): Promise<{ [key: string]: JsonValue }> {
  const parsed = await withBlock(block);
  // Whatever the block, the note is there.
  expect(parsed.sections.at(-1)?.text).toBe(body);
  return parsed.frontmatter;
}

describe("frontmatter", () => {
  it("is a mapping at the very top, closed by --- or ...", async () => {
    for (const close of ["---", "...", "--- "]) {
      const parsed = await parseText(plugin, `---\ntitle: A\ntags: [x, y]\n${close}\n${body}`);
      expect(parsed.frontmatter).toEqual({ title: "A", tags: ["x", "y"] });
      expect(parsed.title).toBe("A");
      expect(parsed.sections).toHaveLength(1);
      expect(parsed.sections[0]).toMatchObject({ startLine: 5 });
      expect(parsed).not.toHaveProperty("warnings");
    }
  });

  it.each([
    ["a rule", "---\n\ntext\n\n---\nmore"],
    ["prose between rules", "---\nSome text: with a colon\nand more text\n---\n"],
    ["a list", "---\n- a\n- b\n---\ntext"],
    ["a word", "---\nword\n---\ntext"],
    ["comments", "---\n# only a comment\n---\ntext"],
    ["nothing", "---\n---\ntext"],
    ["no end", "---\ntitle: A\n\ntext"],
    ["a line above it", "\n---\ntitle: A\n---\ntext"],
    ["more than three dashes", "----\ntitle: A\n----\ntext"],
    ["an indented beginning", " ---\ntitle: A\n---\ntext"],
  ])("is not there with %s, and nothing of the text is lost", async (_, text) => {
    const parsed = await parseText(plugin, text);
    expect(parsed.frontmatter).toEqual({});
    expect(parsed).not.toHaveProperty("warnings");
    expect(
      parsed.sections
        .map((section) => section.text)
        .join("\n")
        .replace(/\s+/g, ""),
    ).toBe(text.replace(/\s+/g, ""));
  });

  it("gives the title, as a text or a number, before the first heading does", async () => {
    expect((await withBlock("title:  Own  title ")).title).toBe("Own title");
    expect((await withBlock("title: 2024")).title).toBe("2024");
    expect((await withBlock("title: 1.10")).title).toBe("1.10");
    for (const none of ["title:", 'title: ""', "title: [a]", "other: x"])
      expect((await withBlock(none)).title).toBe("Heading");
    expect(await parseText(plugin, "## Two\n")).not.toHaveProperty("title");
  });
});

describe("values", () => {
  it.each<[string, JsonValue]>([
    ["2024-01-05", "2024-01-05"],
    ["2024-01-05T23:00:00+09:00", "2024-01-05T23:00:00+09:00"],
    ["12:30", "12:30"],
    ["1.10", "1.10"],
    ["007", "007"],
    ["0x1F", "0x1F"],
    [".nan", ".nan"],
    ["-.inf", "-.inf"],
    ["12345678901234567890", "12345678901234567890"],
    ["42", 42],
    ["-1.5", -1.5],
    ["true", true],
    ["yes", "yes"],
    ["~", null],
    ["", null],
    ["[[Note]]", "[[Note]]"],
    ["[[folder/Note|shown]]", "[[folder/Note|shown]]"],
    ["[[1, 2], [3]]", [[1, 2], [3]]],
    ["{{date}}", "{{date}}"],
    ["<% tp.date.now() %>", "<% tp.date.now() %>"],
    ["#work #home", "#work #home"],
    ["# a comment", null],
    ["text # a comment", "text"],
    ["!!js/function 'alert()'", "alert()"],
    ["!custom x", "x"],
    ["!!binary aGk=", "aGk="],
    ["!!timestamp 2024-01-05", "2024-01-05"],
    ["日本語：値", "日本語：値"],
    ["|-\n  two\n  lines", "two\nlines"],
  ])("%j is %j", async (written, value) => {
    expect(await fields(`key: ${written}`)).toEqual({ key: value });
  });

  it("in lists are read alike", async () => {
    expect(await fields("tags:\n- #a\n- b\n- [[C]]\n- 2024-01-05\n-")).toEqual({
      tags: ["#a", "b", "[[C]]", "2024-01-05", null],
    });
  });

  it("may be shared with aliases", async () => {
    expect(await fields("a: &x [1, 2]\nb: *x")).toEqual({ a: [1, 2], b: [1, 2] });
  });

  it("do not merge mappings", async () => {
    expect(await fields("<<: {a: 1}")).toEqual({ "<<": { a: 1 } });
  });
});

describe("frontmatter that is not valid YAML", () => {
  it.each<[string, { [key: string]: JsonValue }]>([
    ["title: a: b\ntags: [x]", { title: "a: b", tags: ["x"] }],
    ["title: [WIP] Plan", { title: "[WIP] Plan" }],
    ['title: "Quoted" and more', { title: '"Quoted" and more' }],
    ['title: "unclosed\ndate: 2024-01-05', { title: '"unclosed', date: "2024-01-05" }],
    ["title: @handle", { title: "@handle" }],
    ["title: `code`", { title: "`code`" }],
    ["title: 50% off: now", { title: "50% off: now" }],
    ["up: [[A]], [[B]]", { up: "[[A]], [[B]]" }],
    ["tags: [#a, #b]", { tags: "[#a, #b]" }],
    ["tags:\n\t- a\n\t- b", { tags: ["a", "b"] }],
    ["tags:\n- @x\n- y", { tags: ["@x", "y"] }],
    ["title: x\n<%* let a = 1 %>\ntags: y\ndate: z", { title: "x", tags: "y", date: "z" }],
    ["a: *unknown", { a: "*unknown" }],
    ["a: 1\na: 2", { a: 2 }],
    ["bad:\n  - x: y: z\n   k: 1\nnext: ok", { next: "ok" }],
    ["タイトル: あ: い\n作成日: 2024年1月5日", { タイトル: "あ: い", 作成日: "2024年1月5日" }],
  ])("keeps what can be read and names the line of the rest: %j", async (block, expected) => {
    const parsed = await withBlock(block);
    expect(parsed.frontmatter).toEqual(expected);
    expect(parsed.sections.at(-1)?.text).toBe(body);
    expect(parsed.warnings?.length).toBeGreaterThan(0);
    for (const warning of parsed.warnings ?? []) expect(warning).toMatch(/^frontmatter, line \d+: /);
  });

  it("names the line of the file", async () => {
    expect((await withBlock("tags: x\ntitle: a: b\n")).warnings).toEqual([
      'frontmatter, line 3: "title" is not valid YAML and was read as text',
    ]);
    expect((await withBlock("a: 1\nb: 2\na: 3")).warnings).toEqual([
      'frontmatter, line 4: "a" is there twice; the last one counts',
    ]);
  });

  it("is reported in a few warnings, however much is wrong", async () => {
    const { warnings = [] } = await withBlock(
      Array.from({ length: 50 }, (_, index) => `k${index}: a: b`).join("\n"),
    );
    expect(warnings).toHaveLength(11);
    expect(warnings.at(-1)).toBe("frontmatter: 40 more of the kind");
  });
});

describe("hostile frontmatter", () => {
  it("cannot reach a prototype", async () => {
    for (const block of [
      "__proto__: {polluted: 1}\nconstructor: {prototype: {polluted: 1}}\ntoString: x",
      "a: {__proto__: {polluted: 1}}",
      "__proto__: a: b\nok: 1",
      '"__proto__": [x]',
    ]) {
      const read = await fields(block);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
      expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
      expect(Object.hasOwn(read, "__proto__")).toBe(false);
      expect(JSON.stringify(read)).not.toContain("__proto__");
    }
  });

  it("cannot expand without bound", async () => {
    const names = "abcdefghi".split("");
    const bomb = names.map((name, index) => {
      const item = index === 0 ? "x" : `*${names[index - 1] ?? ""}`;
      return `${name}: &${name} [${Array(9).fill(item).join(", ")}]`;
    });
    const parsed = await withBlock(bomb.join("\n"));
    expect(JSON.stringify(parsed.frontmatter).length).toBeLessThan(100_000);
    expect(parsed.warnings?.length).toBeGreaterThan(0);
    expect(parsed.sections.at(-1)?.text).toBe(body);
  });

  it("cannot contain itself", async () => {
    expect(JSON.stringify(await fields("a: &a [1, *a]")).length).toBeLessThan(10_000);
  });

  it.each([
    ["[", "[".repeat(30_000)],
    ["{", `a: ${"{".repeat(30_000)}`],
    ["closed brackets", `a: ${"[".repeat(20_000)}${"]".repeat(20_000)}`],
    ["list marks", "- ".repeat(30_000)],
    ["question marks", `a: b\n${"? ".repeat(30_000)}`],
    ["deep indentation", Array.from({ length: 340 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n")],
  ])("cannot exhaust the stack: %s", async (_, block) => {
    const parsed = await withBlock(block);
    expect(parsed.sections.at(-1)?.text.endsWith(body)).toBe(true);
  });

  it(`is text above ${limits.frontmatterBytes} bytes`, async () => {
    const padded = (size: number): string => `title: T\nx: ${"あ".repeat(50)}\ny: `.padEnd(size - 100, "z");
    expect((await withBlock(padded(limits.frontmatterBytes))).title).toBe("T");
    const parsed = await withBlock(`${padded(limits.frontmatterBytes)}${"z".repeat(200)}`);
    expect(parsed.title).toBe("Heading");
    expect(parsed.sections[0]).toMatchObject({ startLine: 1 });
    expect(parsed.warnings).toEqual(["the frontmatter is over 64 KiB and was read as text"]);
  });

  it(`resolves at most ${limits.frontmatterAliases} aliases`, async () => {
    const many = (count: number): string => `a: &a 1\nb: [${Array(count).fill("*a").join(", ")}]`;
    expect(await withBlock(many(limits.frontmatterAliases))).not.toHaveProperty("warnings");
    expect((await withBlock(many(limits.frontmatterAliases + 1))).warnings).toHaveLength(1);
  });

  it("is always plain JSON", async () => {
    await fc.assert(
      fc.asyncProperty(frontmatter, async (block) => {
        const { frontmatter: read } = await parseText(plugin, `${block}${body}`);
        expect(JSON.parse(JSON.stringify(read))).toEqual(read);
      }),
      { numRuns: 300 },
    );
  });
});
