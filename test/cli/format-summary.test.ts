import { describe, expect, it } from "@jest/globals";
import { formatSummary } from "../../src/cli/format-summary.js";
import { readRefusal } from "../../src/core/documents/read-guard-refusal.js";
import type { IndexSummary } from "../../src/core/index.js";

const summary = (fields: Partial<IndexSummary>): IndexSummary => ({
  added: 0,
  updated: 0,
  unchanged: 0,
  renamed: 0,
  deleted: 0,
  skipped: [],
  warnings: [],
  documents: 1,
  chunks: 1,
  declined_by_embedder: 0,
  embedded: 0,
  seconds: 0,
  ...fields,
});
const linesAbout = (fields: Partial<IndexSummary>): string[] =>
  formatSummary(summary(fields)).trimEnd().split("\n").slice(2);

describe("the summary of an index run", () => {
  it("says that nothing is kept where the store lives in its process only", () => {
    const nothingKept = /Nothing of this is kept: the store "memory" lives in its process only/u;
    expect(formatSummary(summary({}), "memory")).toMatch(nothingKept);
    expect(formatSummary(summary({}))).not.toMatch(/kept/u);
  });

  it("names a file once, however its message names it", () => {
    const long = `${"deep/".repeat(60)}a "b".md`;
    for (const path of ["notes/a.md", long])
      expect(
        linesAbout({
          skipped: [
            { path, code: "KB_READ_TOO_LARGE", reason: readRefusal.tooLarge(path, 3, 2).message },
            { path, code: "KB_PARSE_FAILED", reason: `${path}: it is broken` },
          ],
          warnings: [{ path, warning: readRefusal.link(path).message }],
        }),
      ).toEqual([
        `  skipped: ${path}: has 3 bytes; at most 2 are read [KB_READ_TOO_LARGE]`,
        `  skipped: ${path}: it is broken [KB_PARSE_FAILED]`,
        `  warning: ${path}: is a link or lies behind one`,
      ]);
  });

  it("shows what a name or a message would do to a terminal instead of doing it", () => {
    const path = "a\u001b[2J\nskipped: b\u202e.md";
    expect(
      linesAbout({
        skipped: [{ path, code: "KB_PARSE_FAILED", reason: `${path}: bad\u0007` }],
        warnings: [{ path, warning: readRefusal.link(path).message }],
      }),
    ).toEqual([
      String.raw`  skipped: a\u001b[2J\u000askipped: b\u202e.md: bad\u0007 [KB_PARSE_FAILED]`,
      String.raw`  warning: a\u001b[2J\u000askipped: b\u202e.md: is a link or lies behind one`,
    ]);
  });
});
