import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { QueryTerm } from "../../../src/core/search/compile-query.js";
import { confidence } from "../../../src/core/search/confidence.js";

const hit = (text: readonly string[], names: readonly string[] = [], bigrams: readonly string[] = []) => ({
  text,
  title: names,
  bigrams,
});
const content = (...terms: string[]): QueryTerm[] => terms.map((term) => ({ term, kind: "content" }));

describe("confidence", () => {
  const terms = content("restor", "snapshot");
  const frequencies = [10, 5];
  const of = (...hits: string[][]): number =>
    confidence({ terms, frequencies, chunks: 1000, bigrams: [], hits: hits.map((text) => hit(text)) });

  it("is high if one hit holds all the words, low if none does", () => {
    expect(of(["restor", "a", "snapshot"])).toBeGreaterThan(0.7);
    expect(of(["a", "b"])).toBeLessThan(0.05);
  });

  it("asks for the words in one hit, not scattered over several", () => {
    expect(of(["restor"], ["snapshot"])).toBeLessThan(of(["restor", "snapshot"]));
  });

  it("is 0 without hits", () => {
    expect(of()).toBe(0);
  });

  it("looks at the ten best hits only", () => {
    const empty = Array.from({ length: 10 }, () => ["a"]);
    expect(of(...empty, ["restor", "snapshot"])).toBe(of(...empty));
  });

  it("misses a rare word more than a common one", () => {
    const input = { terms, frequencies: [500, 1], chunks: 1000, bigrams: [] };
    expect(confidence({ ...input, hits: [hit(["restor"])] })).toBeLessThan(
      confidence({ ...input, hits: [hit(["snapshot"])] }),
    );
  });

  it("misses question words and hiragana less than others", () => {
    const withKind = (kind: QueryTerm["kind"]): number =>
      confidence({
        terms: [...content("梅雨"), { term: "x", kind }],
        frequencies: [5, 5],
        chunks: 1000,
        bigrams: [],
        hits: [hit(["梅雨"])],
      });
    expect(withKind("question")).toBeGreaterThan(withKind("hiragana"));
    expect(withKind("hiragana")).toBeGreaterThan(withKind("content"));
  });

  it("misses an error code more than a word", () => {
    const withKind = (kind: QueryTerm["kind"]): number =>
      confidence({
        terms: [...content("error"), { term: "c9999", kind }],
        frequencies: [5, 0],
        chunks: 1000,
        bigrams: [],
        hits: [hit(["error"])],
      });
    expect(withKind("identifier")).toBeLessThan(withKind("content"));
  });

  it("takes a word of the path, and a kanji typed by itself inside a word, as there once", () => {
    const of = (term: string, one: ReturnType<typeof hit>, ...bigrams: string[]): number =>
      confidence({ terms: content(term), frequencies: [0], chunks: 1000, bigrams, hits: [one] });
    const once = of("csharp", hit(["csharp"]));
    expect(of("csharp", hit(["client"], ["csharp", "note"]))).toBe(once);
    expect(of("藍", hit(["藍染"], [], ["藍染", "藍", "染"]), "藍")).toBe(once);
    // The segmenter cuts 高さ into 高 and さ; 高 is in many words.
    expect(of("高", hit(["高速"], [], ["高速", "高", "速"]), "高さ")).toBeLessThan(0.1);
    // A pair of characters may stand in a longer word by chance.
    expect(of("京都", hit(["東京", "都庁"], [], ["東京", "京都", "都庁"]), "京都")).toBeLessThan(0.1);
  });

  it("is the documented formula", () => {
    const idf = (df: number): number => Math.log(1 + (1000 - df + 0.5) / (df + 0.5));
    const covered = idf(10) / (idf(10) + idf(5));
    const saturated = (covered * 3) / (3 + 1.2);
    const logit = -3.2 + 4.74 * covered + 16.02 * saturated - 0.52 * Math.log(1000);
    expect(of(["restor", "restor", "restor"])).toBeCloseTo(1 / (1 + Math.exp(-logit)), 10);
  });

  it("lies between 0 and 1 and grows with what a hit holds", () => {
    const word = fc.constantFrom("a", "b", "c", "d", "e");
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { minLength: 1 }),
        fc.array(fc.array(word), { maxLength: 12 }),
        fc.nat({ max: 100_000 }),
        fc.array(fc.nat(), { minLength: 5, maxLength: 5 }),
        (words, hits, chunks, counts) => {
          const input = { terms: content(...words), frequencies: counts, chunks, bigrams: [] };
          const value = confidence({ ...input, hits: hits.map((text) => hit(text)) });
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
          const richer = hits.map((text) => hit([...text, ...words]));
          expect(confidence({ ...input, hits: richer })).toBeGreaterThanOrEqual(value);
        },
      ),
    );
  });
});
