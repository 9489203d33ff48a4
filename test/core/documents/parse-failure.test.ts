import { describe, expect, it } from "@jest/globals";
import { namesPlace, parseFailure } from "../../../src/core/documents/parse-failure.js";
import { createLogger } from "../../../src/core/logger.js";

describe("a parser's own message", () => {
  it.each([
    "ENOENT: no such file or directory, open '/home/someone/a b.md'",
    "/srv/notes/a.md is empty",
    "cannot open=/tmp/x",
    "-I/home/someone/include",
    "-I/usr/share/x",
    "場所は/opt/kb です",
    "see ~/notes and ~someone/notes",
    String.raw`EACCES: C:\Users\someone\a.md`,
    "in d:/notes/a.md",
    String.raw`\\server\share\a.md`,
    String.raw`\\?\C:\a.md`,
    "from //server/share",
    "Cannot find module 'file:///srv/x.mjs'",
    "FILE:/srv/x.mjs",
  ])("may name a place of the machine: %s", (message) => {
    expect(namesPlace(message)).toBe(true);
  });

  it.each([
    "the file is upside down",
    "neither text/markdown nor text/plain",
    "unexpected </p> after <br/>, expected / or >",
    "see https://example.org/help",
    "word/document.xml is missing",
    "./relative and ../relative",
    "12 / 7, 3/4, 10 KB/s, and/or",
    "at 10:30: key: value",
    String.raw`unknown escape \d`,
    "",
  ])("names none: %s", (message) => {
    expect(namesPlace(message)).toBe(false);
  });
});

describe("a parser's own error", () => {
  it.each([
    ["cannot open /srv/notes/secret.md", "Look again."],
    ["cannot open it", "See /srv/notes."],
  ])("keeps its code and loses its words if they name a place: %s %s", (message, hint) => {
    const log: string[] = [];
    const error = parseFailure(
      { kind: "failed", error: { code: "KB_PARSE_ENCODING", message, hint } },
      { path: "a.md", parser: "md" },
      { milliseconds: 1, heapMiB: 1 },
      createLogger("warn", (line) => log.push(line)),
    );
    expect(error).toMatchObject({ code: "KB_PARSE_ENCODING", message: "The parser md could not read a.md" });
    expect(error.hint).not.toContain("/srv");
    expect(log.join()).toContain(message);
  });
});

describe("a parse process that cannot be started", () => {
  it("is named without the place of its program, which the log has", () => {
    const log: string[] = [];
    const error = parseFailure(
      { kind: "ended", how: "at its start", detail: "spawn /srv/node ENOENT" },
      { path: "a.md", parser: "md" },
      { milliseconds: 1, heapMiB: 1 },
      createLogger("warn", (line) => log.push(line)),
    );
    expect(error).toMatchObject({
      code: "KB_PARSE_FAILED",
      message: "The parser md could not read a.md: its process ended at its start",
      hint: expect.stringContaining("log") as unknown,
    });
    expect(log).toEqual(["kb-mcp warn: a.md: the parse process ended at its start: spawn /srv/node ENOENT"]);
  });
});
