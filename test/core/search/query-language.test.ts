import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { phrasePattern } from "../../../src/core/search/phrase-pattern.js";
import { parseQuery } from "../../../src/core/search/query-language.js";
import { fold } from "../../../src/core/text/fold.js";

describe("a query", () => {
  it.each([
    ['"moss garden" rain', "moss garden rain", ["moss garden"], []],
    ["rain “moss garden”", "rain moss garden", ["moss garden"], []],
    ["garden -moss", "garden", [], ["moss"]],
    ['garden -"in the rain" -snow.', "garden", [], ["in the rain", "snow"]],
    ['駅の"新幹線"の時刻', "駅の 新幹線 の時刻", ["新幹線"], []],
    ["新幹線 -東海道", "新幹線", [], ["東海道"]],
    ["languages -C++ -C#", "languages", [], ["C++", "C#"]],
    ["-moss", "", [], ["moss"]],
    ["runtimes -.NET -ABC-204", "runtimes", [], [".NET", "ABC-204"]],
    ["公開 -下書き、予定", "公開 、予定", [], ["下書き"]],
    ["release -👍 -🏴󠁧󠁢󠁥󠁮󠁧󠁿.", "release", [], ["👍", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"]],
    ['release "🚀 done" "❤️"', "release 🚀 done ❤️", ["🚀 done", "❤️"], []],
    ['หา"กรุงเทพ"ใน', "หา กรุงเทพ ใน", ["กรุงเทพ"], []],
    ['rain -snow"storm"', 'rain "storm"', [], ["snow"]],
  ])("%s looks for %s, with %j and without %j", (query, text, phrases, excluded) => {
    expect(parseQuery(query)).toEqual({ text, phrases, excluded });
  });

  it.each([
    "git commit --amend",
    "- item",
    "-",
    "a - b",
    "ABC-204",
    "well-known",
    'an unmatched " quote',
    '5" nails and 6" bolts',
    '""',
    '"..."',
    'x -"" y',
    "-- ---",
    "x -, y",
    "a -> b",
    "delta -.5",
    "ls -/tmp",
    'key="value"s',
    "('; DROP TABLE",
  ])("holds no operator in %s", (query) => {
    expect(parseQuery(query)).toEqual({ text: query, phrases: [], excluded: [] });
  });

  it("is never an error, and loses no word", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "B", "猫", "-", '"', " ", ".", "1") }), (typed) => {
        const query = typed.replace(/\s+/gu, " ").trim();
        const { text, phrases, excluded } = parseQuery(query);
        const letters = (written: string): string =>
          Array.from(written)
            .filter((character) => /[aB猫1]/u.test(character))
            .sort()
            .join("");
        expect(letters(text + excluded.join(""))).toBe(letters(query));
        for (const phrase of phrases) expect(text).toContain(phrase);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("the pattern of a phrase", () => {
  const finds = (phrase: string, text: string): boolean =>
    new RegExp(phrasePattern(phrase), "u").test(fold(text));

  it.each([
    ["moss garden", "The Moss\n  Garden."],
    ["cat", "a cat, a dog"],
    ["cat", "snake_cat"],
    ["新幹線", "東海道新幹線で"],
    ["サーバ", "ｻｰﾊﾞｰの設定"],
    ["AI", "生成AIの利用"],
    ["ＡＩ", "生成ai"],
    ["C++", "C++ and C"],
    ["it's (100%)", "It's (100%) sure"],
    ["café", "CAFE\u0301 au lait"],
    ["한국", "대한국민"],
    ["กรุงเทพ", "ฉันอยู่กรุงเทพมหานคร"],
    ["👍", "given as 👍🏽"],
    ["👍🏿 as", "👍 as"],
    ["❤ done", "❤️ done"],
  ])("%s is found in %s", (phrase, text) => {
    expect(finds(phrase, text)).toBe(true);
  });

  it.each([
    ["cat", "concatenate"],
    ["cat", "cats"],
    ["moss garden", "moss in the garden"],
    ["AI", "MAIL"],
    ["caf", "cafe\u0301"],
    ["1.5", "1x5"],
    ["🚀", "👍"],
  ])("%s is not found in %s", (phrase, text) => {
    expect(finds(phrase, text)).toBe(false);
  });

  it("is valid for whatever is typed, and finds it", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => fold(text).trim() !== ""),
        (phrase) => {
          expect(finds(phrase, `… ${phrase} …`)).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
