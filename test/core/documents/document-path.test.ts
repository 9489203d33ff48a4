import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import {
  extensionOf,
  parseDocumentPath,
  quotePath,
  topicOf,
} from "../../../src/core/documents/document-path.js";
import { KbError } from "../../../src/core/errors.js";
import { limits } from "../../../src/core/limits.js";

function refusal(raw: string, windows?: boolean): KbError {
  try {
    parseDocumentPath(raw, windows);
  } catch (error) {
    if (error instanceof KbError) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(raw)} was let through`);
}

describe("a document path", () => {
  it.each([
    "a.md",
    "guide/setup.md",
    "日本語/メモ.md",
    "..notes.md",
    "..a/b..md",
    ".obsidian/x.md",
    "Pros & cons (2024).md",
    "console/auxiliary.md",
    "com10/lpt.md",
    "100%.md",
    "%2e%2e/a.md",
    "~/a.md",
    "What is X?.md",
    "a\nb.md",
    "é.md",
    "e\u0301.md",
  ])("is taken as it is: %j", (path) => {
    expect(parseDocumentPath(path, true)).toBe(path);
    expect(parseDocumentPath(path, false)).toBe(path);
  });

  it.each([
    "/etc/passwd",
    "//server/share/a.md",
    "\\\\server\\share\\a.md",
    "\\a.md",
    "\\\\?\\C:\\a.md",
    "C:/a.md",
    "c:\\a.md",
    "C:a.md",
    "C:",
    "../a.md",
    "a/../../b.md",
    "a/..",
    "..",
    "..\\a.md",
    "a\\..\\b.md",
  ])("that leaves the knowledge base is refused: %j", (path) => {
    expect(refusal(path, true).code).toBe("KB_READ_OUTSIDE");
    expect(refusal(path, false).code).toBe("KB_READ_OUTSIDE");
  });

  it.each([
    "",
    ".",
    "./a.md",
    "a/./b.md",
    "a//b.md",
    "a/",
    "a.md/",
    "a\0.md",
    "a\\b.md",
    ".../a.md",
    ".. /a.md",
    " /a.md",
    "con",
    "CON.md",
    "notes/nul.txt",
    "aux.tar.gz/a.md",
    "Com1.md",
    "com¹.md",
    "lpt9 .md",
    "CONIN$",
    "con.\n.md",
    "a.md:x",
    "a.txt:b.md",
    "a.md::$DATA",
    "a.d:x/b.md",
    "file:///etc/passwd",
    "a\ud800.md",
  ])("that some platform reads in another way is refused on all: %j", (path) => {
    expect(refusal(path, true).code).toBe("KB_READ_PATH");
    expect(refusal(path, false).code).toBe("KB_READ_PATH");
  });

  it.each([
    "Acme Inc./notes.md",
    "a /b.md",
    "Meeting: Q3.md",
    "Q: why.md",
    "10:30.md",
    "v1.2:3.md",
    "a.md ",
    "a.md.",
  ])("that is an alias on Windows only is a name elsewhere: %j", (path) => {
    expect(refusal(path, true).code).toBe("KB_READ_PATH");
    expect(parseDocumentPath(path, false)).toBe(path);
  });

  it("may have as many bytes as the limit and no more", () => {
    const longest = `${"あ".repeat(1365)}a`;
    expect(Buffer.byteLength(longest)).toBe(limits.pathBytes);
    expect(parseDocumentPath(longest)).toBe(longest);
    expect(refusal(`${longest}a`).code).toBe("KB_READ_PATH");
  });

  it("is never changed, and no accepted path can climb, whatever it holds", () => {
    const piece = fc.oneof(
      fc.constantFrom(".", "..", "/", "\\", ":", " ", "a", ".md", "C:", "%2e", "con"),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.boolean(), (pieces, windows) => {
        const raw = pieces.join("");
        let path: string;
        try {
          path = parseDocumentPath(raw, windows);
        } catch (error) {
          expect((error as KbError).code).toMatch(/^KB_READ_(PATH|OUTSIDE)$/);
          return;
        }
        expect(path).toBe(raw);
        expect(path.split(/[\\/]/).some((segment) => ["", ".", ".."].includes(segment))).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  it("is not repeated in the message when it is absolute, and is shortened when it is long", () => {
    expect(refusal("/home/someone/secret.md").message).not.toContain("secret");
    expect(refusal("C:\\Users\\someone\\secret.md").message).not.toContain("secret");
    expect(refusal(`../${"x".repeat(5000)}`.slice(0, 4000)).message.length).toBeLessThan(250);
    expect(refusal("a\n\0.md").message).toContain('"a\\n\\u0000.md"');
  });
});

it("a shortened path keeps its two ends and whole characters", () => {
  expect(quotePath("😀".repeat(200) + "end.md")).toMatch(/^"(😀){60}…(😀)+end\.md"$/u);
});

describe("the extension of a path", () => {
  it.each([
    ["a.md", "md"],
    ["A.MD", "md"],
    ["a.tar.GZ", "gz"],
    ["x.y/readme", ""],
    [".md", ""],
    ["x/.gitignore", ""],
    ["a.", ""],
  ])("of %j is %j", (path, extension) => expect(extensionOf(path)).toBe(extension));
});

describe("the topic of a path", () => {
  it.each([
    ["a.md", ""],
    ["ops/a.md", "ops"],
    ["ops/runbooks/a.md", "ops/runbooks"],
    ["ops/runbooks/db/x/a.md", "ops/runbooks"],
  ])("of %j is %j", (path, topic) => expect(topicOf(path)).toBe(topic));
});
