import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { limits } from "../../../src/core/limits.js";
import { compileQuery } from "../../../src/core/search/compile-query.js";
import { clipSpans, marksOf, matchSpans, type Span } from "../../../src/core/search/match-spans.js";

const spans = (query: string, content: string): Span[] => matchSpans(content, marksOf(compileQuery(query)));
const marked = (query: string, content: string): string[] =>
  spans(query, content).map(([start, end]) => content.slice(start, end));

describe("match spans", () => {
  it.each([
    ["restore backups", "Restoring a BACKUP, then backups.", ["Restoring", "BACKUP", "backups"]],
    ["kb-mcp.toml", "Edit kb-mcp.toml or the toml of kb.", ["kb-mcp.toml", "toml", "kb"]],
    ["camelCase", "the camelCase case", ["camelCase", "case"]],
    ["C++", "C++ and C", ["C++", "C"]],
    ["café", "Cafe\u0301 CAFÉ", ["Cafe\u0301", "CAFÉ"]],
    ["file", "the ﬁle", ["ﬁle"]],
    ["サーバ", "ｻｰﾊﾞｰを再起動、サーバ室", ["ｻｰﾊﾞｰ", "サーバ"]],
    ["サーバー", "データベースサーバーの設定", ["サーバー"]],
    ["新幹線", "東海道新幹線に乗る", ["新幹線"]],
    ["梅", "梅雨と梅", ["梅", "梅"]],
    ["アパート", "㌀を借りる", ["㌀"]],
    ["서울 날씨", "서울에서 날씨가", ["서울", "날씨"]],
    ["恢复备份", "如何恢复数据库的备份", ["恢复", "备份"]],
    ["AI", "AIと会議", ["AI"]],
  ])("of %s in %s", (query, content, expected) => {
    expect(marked(query, content)).toEqual(expected);
  });

  it("leave question words and hiragana alone unless there is nothing else", () => {
    expect(marked("梅雨は何ですか", "これは何か。梅雨は雨です。")).toEqual(["梅雨"]);
    expect(marked("いつ", "それはいつの話か")).toEqual(["いつ"]);
  });

  it("join what is adjacent", () => {
    expect(spans("再起動", "サーバーを再起動する")).toEqual([[5, 8]]);
  });

  it("stop at the limit", () => {
    expect(spans("word", "word ".repeat(500))).toHaveLength(limits.matchSpans);
  });

  it("are sorted, disjoint, apart and within the text, whatever the text", () => {
    const content = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc
        .array(fc.constantFrom("東", "海", "ｻ", "ﾞ", "a", "A", " ", "-", "_", "가", "㌀", "\u0301"))
        .map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(content, content, (text, typed) => {
        let last = -1;
        for (const [start, end] of spans(`a 東 ${typed.slice(0, 50)}`, text)) {
          expect(start).toBeGreaterThan(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 500 },
    );
  });

  it("find a word wherever it stands in Latin text, in any case and width", () => {
    const wide = (text: string): string =>
      text.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
    const other = fc.array(fc.constantFrom("xyz", "ｑｑ", "㌀", "ﬁ", "é"), { maxLength: 5 });
    fc.assert(
      fc.property(other, other, fc.boolean(), (before, after, isWide) => {
        const word = isWide ? wide("glacier") : "Glacier";
        const text = [...before, word, ...after].join(" ");
        expect(marked("GLACIER", text)).toEqual([word]);
      }),
    );
  });
});

describe("clipSpans", () => {
  it("keeps what lies before the cut and shortens what crosses it", () => {
    const all: Span[] = [
      [0, 3],
      [5, 9],
      [12, 14],
    ];
    expect(clipSpans(all, 7)).toEqual([
      [0, 3],
      [5, 7],
    ]);
    expect(clipSpans(all, 5)).toEqual([[0, 3]]);
  });
});

describe("the spans of a phrase", () => {
  it.each([
    ['"moss garden"', "The Moss\n  Garden.", ["Moss\n  Garden"]],
    ['"1.2"', "version 1.2.3", ["1.2"]],
    ['"ルータ"', "ﾙｰﾀｰの交換", ["ﾙｰﾀｰ"]],
    ['"cat" moss', "concatenate moss", ["moss"]],
  ])("%s in %j are %j", (query, content, expected) => {
    expect(spans(query, content).map(([start, end]) => content.slice(start, end))).toEqual(expected);
  });
});
