import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { termLength } from "../../../../src/core/search/analyser/term.js";
import { wordsOf } from "../../../../src/core/search/analyser/words.js";

const terms = (text: string): string[] => wordsOf(text.normalize("NFKC")).map(({ term }) => term);

describe("the words of a text", () => {
  it.each([
    ["Running the backups nightly", ["run", "the", "backup", "nightli"]],
    ["don't what's John’s we'll", ["don", "what", "john", "we"]],
    ["１２３ＡＢＣ", ["123abc"]],
    ["3,000 and 1,234,567.5", ["3000", "and", "1234567.5"]],
    ["3,000円", ["3000", "円"]],
    ["1,2,3", ["1", "2", "3"]],
    ["the U.S. and e.g. this", ["the", "us", "and", "eg", "thi"]],
    ["café naïve ΟΔΟΣ", ["café", "naïve", "οδοσ"]],
  ])("of %s", (text, expected) => {
    expect(terms(text)).toEqual(expected);
  });

  it.each([
    ["snake_case_name", ["snake", "case", "name", "snake_case_name"]],
    ["camelCase", ["camel", "case", "camelcas"]],
    ["XMLHttpRequest", ["xml", "http", "request", "xmlhttprequest"]],
    ["user2Name", ["user2", "name", "user2name"]],
    ["kb-mcp.toml", ["kb", "mcp", "toml", "kb-mcp.toml"]],
    ["HN-204", ["hn", "204", "hn-204"]],
    ["HN‑204", ["hn", "204", "hn-204"]],
    ["E0382", ["e0382"]],
    ["C++", ["c", "c++"]],
    ["C#,", ["c", "c#"]],
    [" .NET", ["net", ".net"]],
    ["ASP.NET", ["asp", "net", "asp.net"]],
    ["node.js", ["node", "js", "node.js"]],
    ["2026-01-15", ["2026", "01", "15", "2026-01-15"]],
    ["1.2.3", ["1.2.3"]],
    ["APIs URLs", ["api", "url"]],
    ["O'Brien", ["o", "brien", "o'brien"]],
    ["docs/setup guide.", ["doc", "setup", "guid"]],
    ["# Title #", ["titl"]],
  ])("find %s whole and by part", (text, expected) => {
    expect(terms(text)).toEqual(expected);
  });

  it("of Japanese are dictionary words, in every width, with or without the long-vowel mark", () => {
    expect(terms("東京の本社で会議")).toEqual(["東京", "の", "本社", "で", "会議"]);
    expect(terms("サーバーの再起動")[0]).toBe("サーバ");
    expect(terms("サーバの再起動")[0]).toBe("サーバ");
    expect(terms("ｻｰﾊﾞｰ")).toEqual(["サーバ"]);
    expect(terms("コピー")).toEqual(["コピー"]);
  });

  it("of mixed text are found at the borders of scripts", () => {
    expect(terms("kb-mcp.tomlを編集してAIに渡す")).toEqual(
      expect.arrayContaining(["kb-mcp.toml", "toml", "編集", "ai", "渡す"]),
    );
  });

  it("of Chinese are dictionary words, of Korean pairs of syllables", () => {
    expect(terms("如何恢复备份")).toEqual(["如何", "恢复", "备份"]);
    expect(terms("서울에서")).toEqual(["서울", "울에", "에서"]);
    expect(terms("그 값")).toEqual(["그", "값"]);
  });

  it("stand where they say", () => {
    const text = "Fix camelCase in サーバー now";
    for (const { term, start, end, kind } of wordsOf(text)) {
      if (kind === "whole") expect(text.slice(start, end)).toBe("camelCase");
      if (term === "サーバ") expect(text.slice(start, end)).toBe("サーバー");
      if (term === "camel") expect(text.slice(start, end)).toBe("camel");
    }
  });

  it("are emoji too, by their kind", () => {
    expect(terms("done 🚀🚀 👍🏽 ❤️ ❤")).toEqual(["done", "🚀", "🚀", "👍", "❤", "❤"]);
    expect(terms("🇯🇵🇰🇷 👩‍💻")).toEqual(["🇯🇵", "🇰🇷", "👩‍💻"]);
    expect(terms("1️⃣ #️⃣ ©")).not.toContain("️");
  });

  it("hold no white space, are bounded, lie in the text and come in order", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (original) => {
        const text = original.normalize("NFKC");
        let last = 0;
        for (const { term, start, end, kind } of wordsOf(text)) {
          expect(term).toMatch(/^\S+$/u);
          expect(term.length).toBeLessThanOrEqual(termLength);
          expect(start).toBeLessThan(end);
          expect(end).toBeLessThanOrEqual(text.length);
          if (kind === "word") {
            expect(start).toBeGreaterThanOrEqual(last);
            last = start;
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it("are bounded in a text without any break", () => {
    expect(terms("x".repeat(100_000))).toEqual(["x".repeat(termLength)]);
    expect(terms("漢".repeat(50_000)).every((term) => term.length <= termLength)).toBe(true);
  });
});
