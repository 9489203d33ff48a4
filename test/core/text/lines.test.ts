import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { countLines, splitLines } from "../../../src/core/text/lines.js";

describe("lines", () => {
  it("end with \\n, \\r\\n or a lone \\r, also mixed", () => {
    expect(splitLines("a\nb\r\nc\rd")).toEqual(["a", "b", "c", "d"]);
  });

  it("keep blank lines, also at the end", () => {
    expect(splitLines("\n\na\n\n")).toEqual(["", "", "a", ""]);
    expect(splitLines("\r\n\r\n")).toEqual(["", ""]);
  });

  it("are closed, not opened, by a line break at the very end", () => {
    expect(countLines("a\n")).toBe(1);
    expect(countLines("a\r\n")).toBe(1);
    expect(countLines("a")).toBe(1);
    expect(countLines("\n")).toBe(1);
    expect(countLines("")).toBe(0);
  });

  it("do not end at other separators, which editors show inside a line", () => {
    expect(splitLines("a\u2028b\u0085c\fd\ve")).toHaveLength(1);
  });

  it("are counted as they are split", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "あ", "\n", "\r", "\r\n", " ") });
    fc.assert(fc.property(text, (sample) => countLines(sample) === splitLines(sample).length));
  });
});
