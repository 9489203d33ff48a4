// What the interface promises of write: what a batch does, alone and as one of many, and what a reader may see.
import assert from "node:assert/strict";
import type { DocumentWrite, VectorStore, WriteBatch } from "../../core/plugin-api.js";
import { assertSame } from "./assert-same.js";
import { fill, type Check } from "./check.js";
import { dimensions, randomDocument, randomDocuments, randomFrom, under, type Random } from "./corpus.js";

export const writingChecks: readonly Check[] = [
  {
    name: "keeps documents and chunks as they were given",
    async run({ store, reopen }) {
      const documents = randomDocuments(11, 60);
      await fill(store, documents);
      await assertSame(store, documents);
      await assertSame(await reopen(), documents);
    },
  },
  {
    name: "replaces whatever was stored under a path",
    async run({ store }) {
      const before = randomDocuments(12, 12);
      await fill(store, before);
      // The same paths with more, fewer or no chunks.
      const after = randomDocuments(13, 12).map((write, index) => under(pathOf(before[index]), write));
      await store.write({ put: after });
      await assertSame(store, after);
    },
  },
  {
    name: "removes documents with their chunks, and passes over unknown paths",
    async run({ store }) {
      const documents = randomDocuments(14, 12);
      await fill(store, documents);
      await store.write({ delete: [...documents.slice(0, 5).map(pathOf), "never/there.md"] });
      await assertSame(store, documents.slice(5));
    },
  },
  {
    name: "changes the row of a document and leaves its chunks",
    async run({ store }) {
      const documents = randomDocuments(15, 12);
      await fill(store, documents);
      const changed = documents.map(({ document, chunks }, index) => ({
        document: index % 2 === 0 ? { ...document, title: `new ${index}`, modifiedMs: index } : document,
        chunks,
      }));
      await store.write({
        update: changed.filter((_, index) => index % 2 === 0).map(({ document }) => document),
      });
      await assertSame(store, changed);
    },
  },
  {
    name: "lets filters follow an updated row",
    async run({ store }) {
      const [write] = randomDocuments(16, 12).filter(({ chunks }) => chunks.length > 0);
      assert.ok(write);
      const document = { ...write.document, date: "2020-01-01" };
      await fill(store, [{ ...write, document: { ...document, tagKeys: ["old"], categoryKey: "old" } }]);
      const updated = { ...document, tagKeys: ["it's new"], categoryKey: "new", date: "2026-02-03" };
      await store.write({ update: [updated] });
      const query = {
        clauses: [{ field: "text", terms: write.chunks[0]?.terms.text ?? [], weight: 1 }],
      } as const;
      const find = async (filter: Parameters<VectorStore["textSearch"]>[2]): Promise<number> =>
        (await store.textSearch(query, 100, filter)).length;
      assert.equal(await find({ tagKeysAny: ["old"] }), 0);
      assert.equal(await find({ categoryKey: "old" }), 0);
      assert.equal(
        await find({ tagKeysAny: ["it's new"], categoryKey: "new", dateFrom: "2026-02-03" }),
        write.chunks.length,
      );
      await assertSame(store, [{ document: updated, chunks: write.chunks }]);
    },
  },
  {
    name: "takes put, update and delete in one batch, and an empty batch",
    async run({ store }) {
      const [kept, gone, updated, replaced, ...rest] = randomDocuments(17, 8);
      assert.ok(kept && gone && updated && replaced);
      await fill(store, [kept, gone, updated, replaced]);
      const newer = under(pathOf(replaced), randomDocument(randomFrom(18), 99));
      const row = { ...updated.document, title: "updated" };
      await store.write({ put: [newer, ...rest], update: [row], delete: [pathOf(gone)] });
      await store.write({});
      await store.write({ put: [], update: [], delete: [] });
      await assertSame(store, [kept, { ...updated, document: row }, newer, ...rest]);
    },
  },
  {
    name: "takes a batch of 500 documents and replaces them all at once",
    async run({ store }) {
      const documents = randomDocuments(19, 500);
      await store.reset({ dimensions, meta: {} });
      await store.write({ put: documents });
      const again = documents.map((write) => ({ ...write, document: { ...write.document, title: "again" } }));
      await store.write({ put: again });
      await assertSame(store, again);
    },
  },
  {
    name: "holds what a long series of batches says it holds",
    async run({ store, reopen }) {
      const random = randomFrom(20);
      const model = new Map<string, DocumentWrite>();
      let current = store;
      await store.reset({ dimensions, meta: {} });
      for (let round = 0; round < 20; round++) {
        await current.write(randomBatch(random, model));
        if (random.below(6) === 0) await current.maintain(new AbortController().signal);
        if (random.below(10) === 0) current = await reopen();
      }
      await assertSame(current, [...model.values()]);
    },
  },
];

function randomBatch(random: Random, model: Map<string, DocumentWrite>): WriteBatch {
  const put: DocumentWrite[] = [];
  const update: DocumentWrite["document"][] = [];
  const remove: string[] = [];
  for (const [path, { document, chunks }] of [...model]) {
    const choice = random.next();
    if (choice < 0.15) {
      remove.push(path);
      model.delete(path);
    } else if (choice < 0.3) {
      const changed = {
        ...document,
        title: `title ${random.below(1000)}`,
        tagKeys: [`tag${random.below(3)}`],
      };
      update.push(changed);
      model.set(path, { document: changed, chunks });
    } else if (choice < 0.5) put.push(under(path, randomDocument(random, random.below(1e6))));
  }
  for (let added = random.below(4); added > 0; added--) put.push(randomDocument(random, random.below(1e6)));
  for (const write of put) model.set(pathOf(write), write);
  return { put, update, delete: remove };
}

function pathOf(write: DocumentWrite | undefined): string {
  assert.ok(write);
  return write.document.path;
}
