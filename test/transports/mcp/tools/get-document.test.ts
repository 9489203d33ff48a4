import { describe, expect, it } from "@jest/globals";
import { connectClient, textOf } from "../../../support/connect-client.js";
import { memoryKnowledgeBase } from "../../../support/memory-knowledge-base.js";

async function read(text: string, args: object = {}, maxReplyTokens = 1000) {
  const { client, close } = await connectClient(memoryKnowledgeBase({ "a.md": text }), { maxReplyTokens });
  const result = await client.callTool({ name: "get_document", arguments: { path: "a.md", ...args } });
  await close();
  return {
    result,
    reply: result.structuredContent as { text: string; notes: string[]; start_line?: number },
  };
}

const lines = (count: number): string =>
  Array.from({ length: count }, (_, i) => `line ${i + 1} of it`).join("\n");

describe("get_document", () => {
  it("returns the text and what is known of the document", async () => {
    const { reply } = await read("# Hello\n\nWorld");
    expect(reply).toEqual({
      path: "a.md",
      title: "a.md",
      media_type: "text/markdown",
      size_bytes: 14,
      total_lines: 3,
      truncated: false,
      metadata: {},
      text: "# Hello\n\nWorld",
      notes: [],
    });
  });

  it("returns the lines asked for, given as text too", async () => {
    const { reply } = await read("one\ntwo\nthree", { start_line: "2", end_line: 2 });
    expect(reply).toMatchObject({ text: "two", start_line: 2, end_line: 2, total_lines: 3 });
  });

  it("gives a long document whole, and says how to read it in parts that fit", async () => {
    const { reply } = await read(lines(1000));
    expect(reply.text).toBe(lines(1000));
    const [, part] = /parts of (\d+) lines: start_line 1, end_line \1, then from line/u.exec(
      reply.notes[0]!,
    )!;
    const inParts = await read(lines(1000), { start_line: 1, end_line: Number(part) });
    expect(inParts.reply.notes).toEqual([]);
  });

  it("says from which line to go on when a part itself is too long", async () => {
    const { reply } = await read(lines(1000), { start_line: 301 });
    expect(reply.notes[0]).toMatch(/start_line 301, end_line \d+, then from line \d+ on, up to line 1000/u);
  });

  it("points to search where lines are too long to help", async () => {
    const { reply } = await read("word ".repeat(5000));
    expect(reply.notes).toEqual([expect.stringMatching(/too long to read it by lines; use search/u)]);
  });

  it("counts Japanese as it weighs", async () => {
    const { reply } = await read("漢字の文\n".repeat(150));
    expect(reply.notes.length).toBe(1);
  });

  it("puts the notes before the text, where a client that cuts long replies keeps them", async () => {
    const { result } = await read(lines(1000));
    expect(textOf(result).indexOf('"notes"')).toBeLessThan(textOf(result).indexOf('"text"'));
  });

  it("says what is not there", async () => {
    const { result } = await read("x", { path: "b.md" });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/^KB_READ_NOT_FOUND: There is no document "b\.md"\.\n/u);
  });
});
