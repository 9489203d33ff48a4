// What the interface promises of metadata, reset and version.
import assert from "node:assert/strict";
import { collectDocuments, fill, type Check } from "./check.js";
import { dimensions, everywhere, hostileTexts, randomDocuments, randomVector, randomFrom } from "./corpus.js";

export const metadataChecks: readonly Check[] = [
  {
    name: "has no metadata until something was built",
    async run({ store }) {
      assert.equal(await store.readMeta(), undefined);
    },
  },
  {
    name: "starts an empty index with the metadata given",
    async run({ store }) {
      await store.reset({ dimensions, meta: { embedder: "bundled", empty: "" } });
      assert.deepEqual({ ...(await store.readMeta()) }, { embedder: "bundled", empty: "" });
      assert.deepEqual({ ...(await store.counts()) }, { documents: 0, chunks: 0, vectors: 0 });
      assert.deepEqual(await collectDocuments(store, ["title"]), []);
    },
  },
  {
    name: "has metadata after a reset without any",
    async run({ store }) {
      await store.reset({ dimensions, meta: {} });
      assert.deepEqual({ ...(await store.readMeta()) }, {});
    },
  },
  {
    name: "finds nothing in an empty index",
    async run({ store }) {
      await store.reset({ dimensions, meta: {} });
      const query = { clauses: [{ field: "text", terms: [everywhere], weight: 1 }] } as const;
      assert.deepEqual(await store.textSearch(query, 10), []);
      assert.deepEqual(await store.vectorSearch(randomVector(randomFrom(1)), 10), []);
      assert.deepEqual(await store.documentFrequencies([everywhere]), [0]);
      assert.deepEqual(await store.chunks([{ path: "a.md", position: 0 }]), []);
      assert.deepEqual(await store.documentChunks("a.md"), []);
      assert.deepEqual(await store.documentsAt(["a.md"]), []);
    },
  },
  {
    name: "adds and replaces metadata, whatever the characters",
    async run({ store, reopen }) {
      await store.reset({ dimensions, meta: { kept: "yes", changed: "old" } });
      const hostile = Object.fromEntries(hostileTexts.map((value, index) => [`${value} ${index}`, value]));
      await store.writeMeta({ changed: "new", ...hostile });
      const expected = { kept: "yes", changed: "new", ...hostile };
      assert.deepEqual({ ...(await store.readMeta()) }, expected);
      assert.deepEqual({ ...(await (await reopen()).readMeta()) }, expected);
    },
  },
  {
    name: "drops everything at a reset, and takes vectors of another length afterwards",
    async run({ store }) {
      const documents = randomDocuments(1, 20);
      await fill(store, documents);
      await store.writeMeta({ old: "entry" });
      await store.reset({ dimensions: 3, meta: { new: "entry" } });
      assert.deepEqual({ ...(await store.readMeta()) }, { new: "entry" });
      assert.deepEqual({ ...(await store.counts()) }, { documents: 0, chunks: 0, vectors: 0 });
      assert.deepEqual(await store.documentFrequencies([everywhere]), [0]);
      const [first] = documents.filter(({ chunks }) => chunks.length > 0);
      assert.ok(first);
      const vector = Float32Array.of(0, 0.6, 0.8);
      await store.write({ put: [{ ...first, chunks: first.chunks.map((chunk) => ({ ...chunk, vector })) }] });
      const found = await store.vectorSearch(vector, 100);
      assert.equal(found.length, first.chunks.length);
    },
  },
  {
    name: "changes its version with every commit, and only then",
    async run({ store }) {
      const [one, two] = randomDocuments(3, 2);
      assert.ok(one && two);
      const seen: string[] = [];
      const commit = async (work: () => Promise<void>): Promise<void> => {
        await work();
        const version = await store.version();
        assert.equal(await store.version(), version);
        assert.ok(!seen.includes(version), `version ${version} was there before`);
        seen.push(version);
      };
      await commit(() => store.reset({ dimensions, meta: {} }));
      await commit(() => store.writeMeta({ a: "1" }));
      await commit(() => store.write({ put: [one] }));
      await commit(() => store.write({ put: [one] }));
      await commit(() => store.write({ update: [{ ...one.document, title: "another" }] }));
      await commit(() => store.write({ put: [two], delete: [one.document.path] }));
      await commit(() => store.write({ delete: [two.document.path] }));
      await commit(() => store.reset({ dimensions, meta: {} }));
    },
  },
];
