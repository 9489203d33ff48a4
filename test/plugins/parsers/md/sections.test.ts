import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { checkParsedDocument } from "../../../../src/core/documents/parsed-document.js";
import { splitLines } from "../../../../src/core/text/lines.js";
import plugin from "../../../../src/plugins/parsers/md/index.js";
import { frontmatter, lineEnding, markdown } from "../../../support/markdown-arbitrary.js";
import { parseText } from "../../../support/parse-text.js";

/** Level and title of each section. */
async function outline(text: string): Promise<string[]> {
  const { sections } = await parseText(plugin, text);
  return sections.map(({ level, heading }) => (heading === undefined ? `${level}` : `${level} ${heading}`));
}

describe("Markdown sections", () => {
  it("begin at headings and hold exactly their lines", async () => {
    const { sections, title, text } = await parseText(plugin, "intro\n\n# One\n\ntext\n\n\n## Two\nmore\n\n");
    expect(sections).toEqual([
      { level: 0, text: "intro", startLine: 1, endLine: 1 },
      { heading: "One", level: 1, text: "# One\n\ntext", startLine: 3, endLine: 5 },
      { heading: "Two", level: 2, text: "## Two\nmore", startLine: 8, endLine: 9 },
    ]);
    expect(title).toBe("One");
    expect(text).toBe("intro\n\n# One\n\ntext\n\n\n## Two\nmore\n\n");
  });

  it.each([
    ["fences", "# A\n```\n# no\n```\n~~~~\n# no\n```\n~~~~\n# B", ["1 A", "1 B"]],
    ["an unclosed fence", "# A\n```\n# no\n\n# no", ["1 A"]],
    ["a fence in a list", "# A\n- item\n  ```\n# yes\n  ```", ["1 A", "1 yes"]],
    ["a fence within a list item", "# A\n- item\n\n  ```\n  # no\n  ```\n# B", ["1 A", "1 B"]],
    ["indented code", "# A\n\n    # no\n\n\t# no", ["1 A"]],
    ["HTML blocks", "# A\n<div>\n# no\n</div>\n\n# B", ["1 A", "1 B"]],
    ["comments", "# A\n<!--\n# no\n\n# no\n-->\n# B", ["1 A", "1 B"]],
    ["lists and quotes", "# A\n- # no\n> # no\n\n# B", ["1 A", "1 B"]],
    ["callouts", "# A\n> [!warning] Careful\n> # no\n\n# B", ["1 A", "1 B"]],
    ["tags", "#tag\n#another tag\n\n# A", ["0", "1 A"]],
    ["a number sign without a space", "#見出し\n＃ 全角\n#　全角の空白\n# 見出し", ["0", "1 見出し"]],
    ["seven signs", "####### no\n###### six", ["0", "6 six"]],
    ["closing signs", "## A ##\n## B#", ["2 A", "2 B#"]],
    ["underlined headings", "One\n===\n\nTwo\nlines\n---\n\n---\n", ["1 One", "2 Two lines"]],
    ["an empty heading", "#\n\ntext", ["1 "]],
    ["a rule after a blank line", "text\n\n---\n\nmore", ["0"]],
    ["a table", "| a |\n|---|\n| 1 |\n\n# A", ["0", "1 A"]],
    ["link definitions", "[a]: https://example.org\n# A", ["0", "1 A"]],
    ["frontmatter-like text further down", "# A\n\n---\ntitle: x\n---\n", ["1 A", "2 title: x"]],
  ])("are not misled by %s", async (_, text, expected) => {
    expect(await outline(text)).toEqual(expected);
  });

  it.each([
    ["**Bold** and *emphasis* `co*de*`", "Bold and emphasis co*de*"],
    ["[A link](https://example.org) ![alt *text*](a.png)", "A link alt text"],
    ["[[Note]] and [[folder/note|shown]]", "Note and shown"],
    ["[[a#b]] ![[picture.png]]", "a#b !picture.png"],
    ["[[ ]] [[open", "[[ ]] [[open"],
    ["Fast &amp; \\*plain\\* <b>html</b> ~~old~~", "Fast & *plain* html old"],
    ["Block ^abc-123", "Block"],
    ["Power 2 ^3", "Power 2"],
    ["x^2", "x^2"],
    ["Custom id {#custom-id}", "Custom id"],
    ["手順　その一 #tag", "手順 その一 #tag"],
  ])("have the plain text of their heading: %s", async (markup, plain) => {
    expect(await outline(`# ${markup}`)).toEqual([`1 ${plain}`]);
  });

  it("resolve links that are defined elsewhere", async () => {
    expect(await outline("# See [the guide][g]\n\n[g]: https://example.org")).toEqual(["1 See the guide"]);
  });

  it("cut a heading that nobody would call one", async () => {
    for (const long of ["x".repeat(5000), "[[".repeat(2500), "*a ".repeat(2500)]) {
      const [heading] = await outline(`# ${long}`);
      expect(heading?.length).toBeLessThanOrEqual(1002);
    }
  });

  it.each(["\r\n", "\r"])("count lines that end with %j as editors do", async (end) => {
    const text = ["---", "title: T", "---", "# A", "", "text", "", "## B", "end"].join(end);
    const parsed = await parseText(plugin, text);
    expect(parsed.text).toBe(text);
    expect(parsed.title).toBe("T");
    expect(parsed.sections).toEqual([
      { heading: "A", level: 1, text: "# A\n\ntext", startLine: 4, endLine: 6 },
      { heading: "B", level: 2, text: "## B\nend", startLine: 8, endLine: 9 },
    ]);
  });

  it("are none in a blank file", async () => {
    expect(await parseText(plugin, "")).toEqual({ frontmatter: {}, sections: [], text: "" });
    expect(await outline("\n \n\t\n\u3000\n")).toEqual([]);
  });
});

describe("whatever the Markdown", () => {
  it("each section is exactly its lines, and all written lines outside the frontmatter are in one", async () => {
    const documents = fc.tuple(fc.option(frontmatter, { nil: "" }), markdown, lineEnding);
    await fc.assert(
      fc.asyncProperty(documents, async ([head, body, end]) => {
        const text = (head + body).replaceAll("\n", end);
        const parsed = await parseText(plugin, text);
        expect(checkParsedDocument(parsed, "md")).toEqual(parsed);
        expect(parsed.text).toBe(text);
        const lines = splitLines(text);
        const covered = new Set<number>();
        for (const section of parsed.sections) {
          const { startLine = 0, endLine = 0 } = section;
          expect(section.text).toBe(lines.slice(startLine - 1, endLine).join("\n"));
          for (let line = startLine; line <= endLine; line++) covered.add(line);
        }
        const written = lines.flatMap((line, index) => (line.trim() === "" ? [] : [index + 1]));
        const left = written.filter((line) => !covered.has(line));
        const headLines = splitLines(head).length;
        expect(left.every((line) => line <= headLines)).toBe(true);
        expect(left.length === 0 || left[0] === 1).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("headings are those that a full parse finds at the top level", async () => {
    const full = new MarkdownIt({ html: true });
    await fc.assert(
      fc.asyncProperty(markdown, async (text) => {
        // A rule at the top could be read as frontmatter.
        const source = `x\n\n${text}`;
        const expected = full
          .parse(source, {})
          .filter(({ type, level }) => type === "heading_open" && level === 0)
          .map(({ map, tag }) => `${tag} in line ${(map?.[0] ?? 0) + 1}`);
        const { sections } = await parseText(plugin, source);
        const found = sections
          .filter(({ level }) => level > 0)
          .map(({ level, startLine }) => `h${level} in line ${startLine}`);
        expect(found).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});
