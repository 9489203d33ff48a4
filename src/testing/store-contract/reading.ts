// What the interface promises of reading documents and chunks, and of document frequencies.
import assert from "node:assert/strict";
import { frequencyOf } from "./brute-force.js";
import { collectDocuments, fill, keyTexts, type Check } from "./check.js";
import { everywhere, hostileTexts, randomDocuments, randomFrom } from "./corpus.js";

export const readingChecks: readonly Check[] = [
  {
    name: "delivers the chosen fields of every document, documents without chunks included",
    async run({ store }) {
      const documents = randomDocuments(31, 40);
      assert.ok(documents.some(({ chunks }) => chunks.length === 0));
      await fill(store, documents);
      const found = await collectDocuments(store, ["path", "contentHash", "date"]);
      assert.deepEqual(
        found,
        documents
          .map(({ document: { path, contentHash, date } }) => ({
            path,
            contentHash,
            ...(date !== undefined && { date }),
          }))
          .sort((a, b) => (a.path < b.path ? -1 : 1)),
      );
    },
  },
  {
    name: "delivers chunks in the order asked and leaves out those that are gone",
    async run({ store }) {
      const documents = randomDocuments(32, 40);
      await fill(store, documents);
      const random = randomFrom(33);
      const keys = documents
        .flatMap(({ chunks }) => chunks)
        .map((chunk) => ({ chunk, order: random.next() }))
        .sort((a, b) => a.order - b.order)
        .map(({ chunk: { path, position } }) => ({ path, position }));
      const [first] = keys;
      assert.ok(first);
      const gone = [
        { path: first.path, position: 1000 },
        { path: "never/there.md", position: 0 },
        { path: "' OR '1'='1", position: 0 },
      ];
      assert.deepEqual(keyTexts(await store.chunks([...gone, ...keys, ...gone])), keyTexts(keys));
      assert.deepEqual(await store.chunks([]), []);
    },
  },
  {
    name: "delivers the chosen fields of chunks",
    async run({ store }) {
      const chunks = randomDocuments(36, 20).flatMap((write) => write.chunks);
      await fill(store, randomDocuments(36, 20));
      const found = await store.chunks(chunks, ["position", "heading", "terms"]);
      assert.deepEqual(
        found.map(({ position, heading, terms }) => ({ position, heading, terms })),
        chunks.map(({ position, heading, terms }) => ({ position, heading, terms })),
      );
    },
  },
  {
    name: "knows nothing of a path that is not stored",
    async run({ store }) {
      await fill(store, randomDocuments(34, 10));
      for (const path of ["never/there.md", "", "' OR '1'='1", "%", "\\"]) {
        assert.deepEqual(await store.documentsAt([path]), []);
        assert.deepEqual(await store.documentChunks(path), []);
      }
    },
  },
  {
    name: "counts in how many chunks a term occurs in the text",
    async run({ store }) {
      const documents = randomDocuments(35, 80);
      await fill(store, documents);
      const terms = [everywhere, "word0", "word30", "never-there", ...hostileTexts, "word0"];
      const expectedIn = (from: number): number[] => {
        const chunks = documents.slice(from).flatMap((write) => write.chunks);
        return terms.map((term) => frequencyOf(chunks, "text", term));
      };
      assert.deepEqual(await store.documentFrequencies(terms), expectedIn(0));
      assert.deepEqual(await store.documentFrequencies([]), []);
      await store.write({ delete: documents.slice(0, 40).map(({ document }) => document.path) });
      assert.deepEqual(await store.documentFrequencies(terms), expectedIn(40));
    },
  },
];
