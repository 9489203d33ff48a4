// What the interface promises of the search by vector: cosine similarity over the chunks that have a vector.
import assert from "node:assert/strict";
import { isKbError } from "../../core/plugin-api.js";
import { assertRanking } from "./assert-ranking.js";
import { chunksOf, nearest } from "./brute-force.js";
import { fill, type Check } from "./check.js";
import { dimensions, randomDocuments, randomFrom, randomVector } from "./corpus.js";

export const vectorSearchChecks: readonly Check[] = [
  {
    name: "scores by cosine similarity and never finds a chunk without a vector",
    async run({ store }) {
      const documents = randomDocuments(61, 150);
      const all = chunksOf(documents);
      await fill(store, documents);
      const random = randomFrom(62);
      for (const scale of [1, 3, 0.01]) {
        const vector = randomVector(random).map((value) => value * scale);
        for (const k of [1, 10, all.length])
          assertRanking(await store.vectorSearch(vector, k), nearest(all, vector), k, `k ${k}`);
        const filter = { minQuality: 0.7 };
        assertRanking(
          await store.vectorSearch(vector, 5, filter),
          nearest(all, vector, filter),
          5,
          "filtered",
        );
      }
      assert.deepEqual(await store.vectorSearch(randomVector(random), 0), []);
    },
  },
  {
    name: "finds nothing where no chunk has a vector",
    async run({ store }) {
      const declined = randomDocuments(63, 10).map(({ document, chunks }) => ({
        document,
        chunks: chunks.map((chunk) => ({ ...chunk, vector: null })),
      }));
      await fill(store, declined);
      assert.deepEqual(await store.vectorSearch(randomVector(randomFrom(64)), 10), []);
    },
  },
  {
    name: "refuses vectors of another length and stores nothing of them",
    async run({ store }) {
      const documents = randomDocuments(65, 12);
      await fill(store, documents);
      const before = await store.counts();
      const isMismatch = (error: unknown): boolean => isKbError(error) && error.code === "KB_STORE_MISMATCH";
      await assert.rejects(store.vectorSearch(new Float32Array(dimensions + 1).fill(0.1), 5), isMismatch);
      const [write] = randomDocuments(66, 20).filter(({ chunks }) => chunks.length > 0);
      assert.ok(write);
      const path = "wrong.md";
      const put = {
        document: { ...write.document, path },
        chunks: write.chunks.map((chunk) => ({
          ...chunk,
          path,
          vector: new Float32Array(dimensions - 1).fill(0.1),
        })),
      };
      await assert.rejects(store.write({ put: [put] }), isMismatch);
      assert.deepEqual({ ...(await store.counts()) }, { ...before });
      assert.deepEqual(await store.documentsAt([path]), []);
    },
  },
];
