// What the interface promises of equal scores: order of path and position, whatever order they were written in.
import assert from "node:assert/strict";
import type { DocumentWrite, TextQuery, VectorStore } from "../../core/plugin-api.js";
import { fill, keyTexts, type Check } from "./check.js";
import { everywhere, randomDocuments, randomFrom, randomVector } from "./corpus.js";

const query: TextQuery = { clauses: [{ field: "text", terms: [everywhere], weight: 1 }] };
const vector = randomVector(randomFrom(81));

export const tieChecks: readonly Check[] = [
  {
    name: "orders equal scores by path and position, at the cut too",
    async run({ store }) {
      const random = randomFrom(82);
      const alike = likeDocuments(200)
        .map((write) => ({ write, order: random.next() }))
        .sort((a, b) => a.order - b.order)
        .map(({ write }) => write);
      await fill(store, alike);
      await assertOrdered(store, alike);
      await store.maintain(new AbortController().signal);
      // Written anew, some chunks are no longer where their neighbours are.
      await store.write({ put: alike.slice(0, 30) });
      await store.write({ delete: alike.slice(30, 60).map(({ document }) => document.path) });
      await assertOrdered(store, [...alike.slice(0, 30), ...alike.slice(60)]);
    },
  },
];

async function assertOrdered(store: VectorStore, documents: readonly DocumentWrite[]): Promise<void> {
  const keys = documents
    .flatMap(({ chunks }) => chunks)
    .sort((a, b) => (a.path === b.path ? a.position - b.position : a.path < b.path ? -1 : 1));
  for (const k of [1, 5, 33, keys.length]) {
    assert.deepEqual(
      keyTexts(await store.textSearch(query, k)),
      keyTexts(keys.slice(0, k)),
      `by words, k ${k}`,
    );
    assert.deepEqual(
      keyTexts(await store.vectorSearch(vector, k)),
      keyTexts(keys.slice(0, k)),
      `by vector, k ${k}`,
    );
  }
}

/** Documents of two chunks each that differ in nothing that a score depends on. */
function likeDocuments(count: number): DocumentWrite[] {
  const pattern = randomDocuments(83, 20).find(({ chunks }) => chunks.length >= 2);
  assert.ok(pattern);
  const { document, chunks } = pattern;
  const terms = { text: [everywhere, "alike"], title: [], bigrams: [] };
  return Array.from({ length: count }, (_, index) => {
    const path = `alike/${index}.md`;
    return {
      document: { ...document, path, pathKey: path, chunkCount: 2 },
      chunks: chunks.slice(0, 2).map((chunk) => ({ ...chunk, path, terms, vector })),
    };
  });
}
