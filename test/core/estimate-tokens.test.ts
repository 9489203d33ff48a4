import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { estimateTokens, tokenQuarters } from "../../src/core/estimate-tokens.js";

const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

describe("estimated tokens", () => {
  it("are one for four Latin characters and one for each CJK character", () => {
    expect(estimateTokens("word")).toBe(1);
    expect(estimateTokens("words")).toBe(2);
    expect(estimateTokens("日本語のカナ한글")).toBe(8);
    expect(estimateTokens("")).toBe(0);
  });

  it("follow the definition for every kind of character", () => {
    const unit = fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
      fc.constantFrom("漢", "𠮷", "ｶ", "。"),
    );
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        let quarters = 0;
        for (const character of text) quarters += cjk.test(character) ? 4 : character.length;
        expect(tokenQuarters(text)).toBe(quarters);
      }),
    );
  });
});
