import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { printable, printableLines } from "../../../src/core/text/printable.js";

describe("text for a terminal", () => {
  it.each([
    ["an escape sequence", "a\u001b[2Jb", String.raw`a\u001b[2Jb`],
    ["a bell", "\u0007", String.raw`\u0007`],
    ["a carriage return", "safe\rfake", String.raw`safe\u000dfake`],
    ["a line end in a name", "a\nb.md", String.raw`a\u000ab.md`],
    ["a C1 control sequence", "\u009b31m", String.raw`\u009b31m`],
    ["a delete", "\u007f", String.raw`\u007f`],
    ["an override of the direction", "\u202etxt.exe", String.raw`\u202etxt.exe`],
    ["an isolate", "\u2066a\u2069", String.raw`\u2066a\u2069`],
    ["a line separator", "a\u2028b", String.raw`a\u2028b`],
  ])("shows %s instead of obeying it", (_what, text, shown) => expect(printable(text)).toBe(shown));

  it("leaves writing of every script alone", () => {
    const text = "\t日本語 café עברית العربية 👩‍🌾 ½ — “x”";
    expect([printable(text), printableLines(text)]).toEqual([text, text]);
  });

  it("keeps the lines of a message, and nothing else a terminal acts on", () => {
    expect(printableLines("one\r\n  two\rthree\u001b\n")).toBe("one\n  two\\u000dthree\\u001b\n");
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(printableLines(text)).not.toMatch(/(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        expect(printable(text)).not.toContain("\n");
      }),
    );
  });
});
