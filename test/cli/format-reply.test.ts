import { describe, expect, it } from "@jest/globals";
import { formatReply } from "../../src/cli/format-reply.js";
import type { SearchHit, SearchReply } from "../../src/core/index.js";

const [yellow, plain] = ["\u001b[33m", "\u001b[39m"];

const hit = (fields: Partial<SearchHit>): SearchHit => ({
  score: 1,
  path: "a.md",
  title: "A",
  heading_path: [],
  topic: "",
  tags: [],
  content: "text",
  match_spans: [],
  ...fields,
});
const reply = (...results: SearchHit[]): SearchReply => ({
  results,
  confidence: 1,
  low_confidence: false,
  filter_applied: {},
  mode: "hybrid",
  notes: [],
});
const piped = (content: string, spans: [number, number][] = []): string[] =>
  formatReply(reply(hit({ content, match_spans: spans })), {})
    .split("\n")
    .slice(1, -3);
const coloured = (content: string, spans: [number, number][]): string => {
  const before = process.env["NO_COLOR"];
  delete process.env["NO_COLOR"];
  try {
    return formatReply(reply(hit({ content, match_spans: spans })), { isTTY: true });
  } finally {
    if (before !== undefined) process.env["NO_COLOR"] = before;
  }
};

describe("a reply on the command line", () => {
  it("shows what a name, a title or a passage would do to a terminal instead of doing it", () => {
    const text = formatReply(
      reply(
        hit({
          path: "a\u001b[2J\n.md",
          title: "\u202eT",
          heading_path: ["H\u0007"],
          content: "x\u001b]0;t\u0007\u009b1m\u202ey",
          match_spans: [[0, 4]],
        }),
      ),
      {},
    );
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
    expect(text).toContain(String.raw`a\u001b[2J\u000a.md`);
    expect(text).toContain(String.raw`x\u001b]0;t\u0007\u009b1m\u202ey`);
  });

  it("marks the matches in the lines they are in", () => {
    const text = coloured("one two\r\nthree\ntwo", [
      [4, 7],
      [15, 18],
    ]);
    expect(
      text
        .split(yellow)
        .slice(1)
        .map((part) => part.split(plain)[0]),
    ).toEqual(["two", "two"]);
    expect(text).not.toContain("\r");
  });

  it("never cuts a line within a colour", () => {
    const text = coloured(`${"x".repeat(150)} ${"y".repeat(100)}`, [[151, 251]]);
    expect(text).toContain(`${yellow}${"y".repeat(9)}${plain}…`);
  });

  it("shows the lines around the first match", () => {
    const content = ["", ...Array.from({ length: 20 }, (_, index) => `line ${index}`)].join("\n");
    const at = content.indexOf("line 12");
    expect(piped(content, [[at, at + 4]]).map((line) => line.trim())).toEqual([
      "…",
      ...[11, 12, 13, 14, 15, 16].map((number) => `line ${number}`),
      "…",
    ]);
  });
});
