import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createGuardedParser, type GuardedParser } from "../../../src/core/documents/guarded-parse.js";
import { openRoot } from "../../../src/core/documents/knowledge-base-root.js";
import { cutText, loadDocument, type LoadDependencies } from "../../../src/core/documents/load-document.js";
import { readDocument } from "../../../src/core/documents/read-document.js";
import type { DocumentReply, DocumentRequest } from "../../../src/core/documents/document-reply.js";
import { createLogger } from "../../../src/core/logger.js";
import { limits } from "../../../src/core/limits.js";
import { fixtureRegistry } from "../../support/fixture-parsers.js";
import { writeTree } from "../../support/temporary-folder.js";

const never = new AbortController().signal;
/** `a.long` is read as so many lines of 13 bytes, more than a read returns. */
const longLines = 90_000;
let folder: string;
let parser: GuardedParser;
let dependencies: LoadDependencies;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kb-mcp-test-"));
  await writeTree(folder, {
    "empty.echo": "",
    "three.echo": "one\ntwo\r\nthree\n",
    "a.long": "x".repeat(longLines),
  });
  const registry = await fixtureRegistry("misbehaving-parsers.mjs");
  parser = createGuardedParser(registry, createLogger("error"));
  const root = await openRoot(folder);
  dependencies = { root, registry, parser, maxFileBytes: limits.indexFileBytes };
});

afterAll(async () => {
  await parser.dispose();
  await rm(folder, { recursive: true, force: true });
});

const read = (request: DocumentRequest): Promise<DocumentReply> => readDocument(dependencies, request, never);

describe("reading a document by lines", () => {
  it("gives the range asked for, up to the last line", async () => {
    expect(await read({ path: "three.echo", start_line: 2, end_line: 9 })).toMatchObject({
      total_lines: 3,
      start_line: 2,
      end_line: 3,
      text: "two\nthree",
    });
    expect(await read({ path: "three.echo", start_line: 3 })).toMatchObject({ text: "three" });
    expect(await read({ path: "three.echo", end_line: 1 })).toMatchObject({ text: "one" });
  });

  it.each([{ start_line: 1 }, { end_line: 5 }, { start_line: 1, end_line: 80 }])(
    "gives an empty range of an empty document (%j)",
    async (range) => {
      expect(await read({ path: "empty.echo", ...range })).toMatchObject({
        total_lines: 0,
        start_line: 1,
        end_line: 0,
        text: "",
      });
    },
  );

  it.each([{ start_line: 4 }, { start_line: 3, end_line: 2 }, { end_line: 0 }, { start_line: 1.5 }])(
    "refuses what is no range of the document (%j)",
    async (range) => {
      await expect(read({ path: "three.echo", ...range })).rejects.toMatchObject({ code: "KB_READ_RANGE" });
    },
  );
});

describe("a text that is longer than a read returns", () => {
  const kept = "line of text\n".repeat(longLines).slice(0, limits.readTextBytes);
  const keptLines = kept.split("\n");
  const omitted = 13 * longLines - kept.length;

  it("ends with a notice that is no line of the document", async () => {
    const whole = await read({ path: "a.long" });
    const notice = `[kb-mcp: the text was cut here; ${omitted} of ${13 * longLines} bytes were left out]`;
    expect(whole.text).toBe(`${kept}\n\n${notice}\n`);
    expect(whole).toMatchObject({ total_lines: keptLines.length, truncated: true, notes: [] });
    const loaded = await loadDocument(dependencies, "a.long", never);
    expect(loaded).toMatchObject({ text: whole.text, sections: [] });
    expect(cutText("line of text\n".repeat(longLines))).toEqual({ text: whole.text, truncated: true });
    expect(cutText("short")).toEqual({ text: "short", truncated: false });
  });

  it("has no notice in a range, which says instead where the document was cut", async () => {
    const last = keptLines.length;
    const end = await read({ path: "a.long", start_line: last - 1, end_line: last + 50 });
    expect(end).toMatchObject({ end_line: last, truncated: true, text: keptLines.slice(-2).join("\n") });
    expect(end.notes).toEqual([
      `After line ${last} the text was cut here; ${omitted} of ${13 * longLines} bytes were left out`,
    ]);
    expect(await read({ path: "a.long", end_line: 2 })).toMatchObject({ truncated: true, notes: [] });
    await expect(read({ path: "a.long", start_line: last + 1 })).rejects.toMatchObject({
      code: "KB_READ_RANGE",
    });
  });
});
