// What the interface promises of vectors: one for each text, of unit length, the same whatever else is embedded.
import assert from "node:assert/strict";
import { assertVector, cosine, never, vectorsOf, type EmbedderCheck } from "./check.js";

/** Cosine from which two vectors count as the same: models that run in batches differ in the last bits. */
const same = 0.999;

const veryLong = "The pump is greased twice a year and its log is kept. ".repeat(4000);

/** Texts that need not be read, but must not stop the others. */
const oddTexts: Readonly<Record<string, string>> = {
  "an empty text": "",
  "white space": " \n\t ",
  "a very long text": veryLong,
  "a very long word": "x".repeat(50_000),
  Japanese: "ポンプは年に二回、注油する。",
  emoji: "👩‍👩‍👧‍👦🇯🇵🔥",
  "a lone surrogate": "broken \ud83d here",
  "control characters": "a\u0000b\u001bc",
};

export const vectorChecks: readonly EmbedderCheck[] = [
  {
    name: "gives a unit-length Float32Array for each text",
    async run({ embedder, texts }) {
      assert.deepEqual([...(await embedder.embedDocuments([], never))], []);
      await vectorsOf(embedder, texts);
    },
  },
  {
    name: "keeps the order of the texts",
    async run({ embedder, texts }) {
      const vectors = await vectorsOf(embedder, texts);
      const backwards = (await vectorsOf(embedder, [...texts].reverse())).reverse();
      for (const [index, text] of texts.entries())
        assert.ok(
          cosine(vectors[index], backwards[index]) > same,
          `"${text}" got the vector of another text`,
        );
    },
  },
  {
    name: "gives a text the same vector alone and beside others",
    async run({ embedder, texts }) {
      const together = await vectorsOf(embedder, [...texts, veryLong, ...texts]);
      for (const [index, text] of texts.entries()) {
        const [alone] = await vectorsOf(embedder, [text]);
        for (const at of [index, texts.length + 1 + index])
          assert.ok(cosine(alone, together[at]) > same, `"${text}" has another vector beside other texts`);
      }
    },
  },
  {
    name: "gives different texts different vectors",
    async run({ embedder, texts }) {
      const vectors = await vectorsOf(embedder, texts);
      for (const [index, one] of vectors.entries())
        for (const [other, another] of vectors.entries())
          assert.ok(
            other <= index || cosine(one, another) < same,
            `"${String(texts[index])}" and "${String(texts[other])}" have the same vector`,
          );
    },
  },
  {
    name: "puts a query nearest to the document of the same words",
    async run({ embedder, texts }) {
      const vectors = await vectorsOf(embedder, texts);
      for (const [index, text] of texts.entries()) {
        const query = await embedder.embedQuery(text, never);
        assertVector(query, embedder, `the query "${text}"`);
        const scores = vectors.map((vector) => cosine(query, vector));
        assert.equal(
          scores.indexOf(Math.max(...scores)),
          index,
          `the query "${text}" is nearer to another document than to its own words`,
        );
      }
    },
  },
  ...Object.entries(oddTexts).map(([kind, text]): EmbedderCheck => ({
    name: `reads or declines ${kind}, and embeds the texts beside it`,
    async run({ embedder, texts }) {
      const [first] = await vectorsOf(embedder, texts.slice(0, 1));
      const found = await embedder.embedDocuments([text, ...texts.slice(0, 1)], never);
      assert.equal(found.length, 2, "there is not one vector for each text");
      const [odd, beside] = found;
      if (odd !== null) assertVector(odd, embedder, kind);
      assertVector(beside, embedder, `the text beside ${kind}`);
      assert.ok(cosine(first, beside) > same, `the text beside ${kind} has another vector`);
      const query = await embedder.embedQuery(text, never);
      if (query !== null) assertVector(query, embedder, `${kind} as a query`);
    },
  })),
];
