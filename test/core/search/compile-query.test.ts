import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { compileQuery } from "../../../src/core/search/compile-query.js";
import { limits } from "../../../src/core/limits.js";

const terms = (query: string): string[] => compileQuery(query).terms.map(({ term }) => term);
const clause = (query: string, field: string): readonly string[] =>
  compileQuery(query).textQuery.clauses.find((each) => each.field === field)!.terms;

describe("compileQuery", () => {
  it("leaves stop words out", () => {
    expect(terms("How do I restore the backups?")).toEqual(["restor", "backup"]);
  });

  it("uses stop words if there is nothing else", () => {
    expect(terms("the who")).toEqual(["the", "who"]);
  });

  it("takes IT for a name unless the whole query is in capitals", () => {
    expect(terms("IT policy")).toEqual(["it", "polici"]);
    expect(terms("WHAT IS IT POLICY")).toEqual(["polici"]);
  });

  it("sums the text with weight 1, the title with 0.4 and the bigrams with 0.15", () => {
    expect(compileQuery("東京 report").textQuery.clauses).toEqual([
      { field: "text", terms: ["東京", "report"], weight: 1 },
      { field: "title", terms: ["東京", "report"], weight: 0.4 },
      { field: "bigrams", terms: ["東京"], weight: 0.15 },
    ]);
  });

  it.each([
    ["the display shows E0301", ["e0301"]],
    ["set irrigation.min_rest_min on v1.2.3", ["irrigation.min_rest_min", "v1", "v1.2.3"]],
    ["k8s and 0x80070005", ["k8s", "0x80070005"]],
    ["ABC-204", ["abc-204"]],
    ["the 20th century, 1990s, 42 well-known U.S. C++ tools", []],
  ])("gives codes, keys and versions three times the weight: %s", (query, identifiers) => {
    const { clauses } = compileQuery(query).textQuery;
    const heavy = clauses.filter(({ field, weight }) => field === "text" && weight === 3);
    expect(heavy.flatMap(({ terms }) => terms)).toEqual(identifiers);
  });

  it("counts words in hiragana only half", () => {
    expect(compileQuery("東京から").textQuery.clauses).toEqual([
      { field: "text", terms: ["東京"], weight: 1 },
      { field: "text", terms: ["から"], weight: 0.5 },
      { field: "title", terms: ["東京"], weight: 0.4 },
      { field: "title", terms: ["から"], weight: 0.2 },
      { field: "bigrams", terms: ["東京", "京か", "から"], weight: 0.15 },
    ]);
  });

  it("looks for every term once", () => {
    expect(clause("backup backups 東京 東京", "text")).toEqual(["backup", "東京"]);
    expect(clause("backup backups 東京 東京", "bigrams")).toEqual(["東京"]);
  });

  it("looks for a single kanji inside words", () => {
    expect(clause("梅", "bigrams")).toEqual(["梅"]);
    expect(clause("梅雨", "bigrams")).toEqual(["梅雨"]);
  });

  it("looks for an identifier whole and by part, and counts the parts as its words", () => {
    const query = compileQuery("kb-mcp.toml");
    expect(query.textTerms).toEqual(["kb", "mcp", "toml", "kb-mcp.toml"]);
    expect(query.terms.map(({ term }) => term)).toEqual(["kb", "mcp", "toml"]);
  });

  it("tells question words and hiragana from what says more", () => {
    expect(compileQuery("サーバーは何年に設立されたか").terms).toEqual(
      expect.arrayContaining([
        { term: "サーバ", kind: "content" },
        { term: "は", kind: "hiragana" },
        { term: "何年", kind: "question" },
        { term: "設立", kind: "content" },
      ]),
    );
  });

  it("gives the embedder the query as typed with white space collapsed", () => {
    expect(compileQuery("  How\n do　I  ").text).toBe("How do I");
  });

  it.each([
    ["", "The query is empty"],
    [" \n　", "The query is empty"],
    ["?! …", "The query holds no word, only punctuation or symbols"],
  ])("refuses %j", (query, message) => {
    expect(() => compileQuery(query)).toThrow(expect.objectContaining({ code: "KB_SEARCH_QUERY", message }));
  });

  it("refuses a query over the limit and says how long it is", () => {
    const fits = "あ".repeat(Math.floor(limits.queryBytes / 3));
    expect(() => compileQuery(fits)).not.toThrow();
    expect(() => compileQuery(`${fits}い`)).toThrow(
      expect.objectContaining({
        code: "KB_SEARCH_QUERY",
        message: "The query is 1026 bytes long; at most 1024 are allowed",
      }),
    );
  });

  it("takes every operator as text: no query with a word is an error", () => {
    const typed = fc.array(
      fc.constantFrom('"', "-", "--flag", "(", "*", "AND", "ABC-204", ":", "\\", " ", "'"),
    );
    fc.assert(
      fc.property(typed, (parts) => {
        expect(terms(`${parts.join("")} backup`)).toContain("backup");
      }),
    );
  });
});
