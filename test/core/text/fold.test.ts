import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { fold } from "../../../src/core/text/fold.js";

describe("fold", () => {
  it.each([
    ["ｻｰﾊﾞｰ", "サーバー"],
    ["ＡＢＣ１２３", "abc123"],
    ["か\u3099", "が"],
    ["㌀", "アパート"],
    ["ΟΔΟΣ", "οδοσ"],
    ["οδος", "οδοσ"],
    ["Straße", "straße"],
  ])("makes %s into %s", (text, folded) => {
    expect(fold(text)).toBe(folded);
  });

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
    );
  });
});
