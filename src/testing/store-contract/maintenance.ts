// What the interface promises of maintain and of opening a store again.
import assert from "node:assert/strict";
import type { TextQuery, VectorStore } from "../../core/plugin-api.js";
import { assertRanking } from "./assert-ranking.js";
import { assertSame } from "./assert-same.js";
import { chunksOf, nearest, okapi } from "./brute-force.js";
import { fill, type Check } from "./check.js";
import { randomDocuments, randomFrom, randomVector } from "./corpus.js";

const query: TextQuery = {
  clauses: [
    { field: "text", terms: ["word1", "word9", "it's"], weight: 1 },
    { field: "title", terms: ["word1"], weight: 0.4 },
  ],
};
const documents = randomDocuments(71, 120);
const vector = randomVector(randomFrom(72));

export const maintenanceChecks: readonly Check[] = [
  {
    name: "changes nothing that can be read or found",
    async run({ store }) {
      await fill(store, documents);
      await assertWhole(store);
      await store.maintain(new AbortController().signal);
      await assertWhole(store);
      await store.maintain(new AbortController().signal);
      await assertWhole(store);
    },
  },
  {
    name: "leaves the store whole when it is cancelled",
    async run({ store }) {
      await fill(store, documents);
      await store.maintain(AbortSignal.abort()).catch(() => undefined);
      const controller = new AbortController();
      const maintained = store.maintain(controller.signal).catch(() => undefined);
      controller.abort();
      await maintained;
      await assertWhole(store);
    },
  },
  {
    name: "can run beside readers and writers",
    async run({ store }) {
      await fill(store, documents.slice(0, 60));
      const signal = new AbortController().signal;
      const writes = (async () => {
        for (let at = 60; at < documents.length; at += 4)
          await store.write({ put: documents.slice(at, at + 4) });
      })();
      const maintained = (async () => {
        for (let round = 0; round < 5; round++) await store.maintain(signal);
      })();
      const reads = (async () => {
        for (let round = 0; round < 10; round++) assert.ok((await store.textSearch(query, 5)).length > 0);
      })();
      await Promise.all([writes, maintained, reads]);
      await assertWhole(store);
    },
  },
  {
    name: "keeps everything when it is closed and opened again",
    lasting: true,
    async run({ store, reopen }) {
      await fill(store, documents);
      await assertWhole(await reopen());
      await (await reopen()).maintain(new AbortController().signal);
      await assertWhole(await reopen());
    },
  },
];

async function assertWhole(store: VectorStore): Promise<void> {
  const all = chunksOf(documents);
  await assertSame(store, documents);
  assertRanking(await store.textSearch(query, 20), okapi(all, query), 20, "by words");
  assertRanking(await store.vectorSearch(vector, 20), nearest(all, vector), 20, "by vector");
}
