// Random Markdown for property tests: whole documents put together from the pieces that break parsers.
import fc from "fast-check";

const pieces = [
  "# One",
  "## Two",
  "### 三つ目",
  "#見出し",
  "#",
  "####### seven",
  "   ## Indented",
  "    # code",
  "Setext\n===",
  "Two lines\nof heading\n---",
  "---",
  "***",
  "plain text",
  "日本語の文。次の文。",
  "a line\nand another #tag",
  "> quote\n> # quoted heading",
  "> [!note] Callout\n> text",
  "- item\n- # heading in a list\n  more",
  "1. one\n   ```\n   # fenced in a list\n   ```",
  "```js\n# fenced\n```",
  "~~~\n# fenced\n\n```\n~~~",
  "```",
  "~~~~",
  "<!-- comment\n# inside\n-->",
  "<div>\n# html\n</div>",
  "<details>",
  "| a | b |\n|---|---|\n| 1 | 2 |",
  "[ref]: https://example.org\n# After",
  "\t# tab",
  "%% comment %%",
  "[[note|shown]] ^block-id",
  "   ",
  "\t",
  "",
  "\u3000",
  "word ".repeat(40),
  "長い文が続きます。".repeat(20),
];

/** Line endings as files have them, in one document the same or mixed. */
export const lineEnding = fc.constantFrom("\n", "\r\n", "\r");

/** Documents with "\n" as their only line ending. */
export const markdown = fc
  .array(fc.tuple(fc.constantFrom(...pieces), fc.constantFrom("\n", "\n", "\n\n", "\n\n\n")), {
    maxLength: 25,
  })
  .map((parts) => parts.map(([piece, gap]) => piece + gap).join(""));

/** Blocks between two lines of `---` that may or may not be frontmatter. */
export const frontmatter = fc
  .array(
    fc.constantFrom(
      "title: A: b",
      "title: ok",
      "tags: [a, b]",
      "tags: #x #y",
      "date: 2024-01-05",
      "up: [[Note]]",
      "  nested: 1",
      "- item",
      "\t- tab",
      "just text",
      "# comment",
      "",
      "a: *b",
      "{{field}}: x",
      '"unclosed',
      "__proto__: 1",
    ),
    { maxLength: 6 },
  )
  .map((lines) => ["---", ...lines, "---", ""].join("\n"));
