// Compares everything a store holds with what it should hold.
import assert from "node:assert/strict";
import type { DocumentWrite, VectorStore } from "../../core/plugin-api.js";
import { frequencyOf } from "./brute-force.js";
import { allFields, collectDocuments } from "./check.js";

/** Asserts that the store holds exactly these documents: rows, chunks, counts and frequencies. */
export async function assertSame(store: VectorStore, documents: readonly DocumentWrite[]): Promise<void> {
  const expected = [...documents].sort((a, b) => (a.document.path < b.document.path ? -1 : 1));
  assert.deepEqual(
    await collectDocuments(store, allFields),
    expected.map(({ document }) => document),
  );
  for (const { document, chunks } of sample(expected)) {
    assert.deepEqual(await store.documentsAt([document.path]), [document]);
    assert.deepEqual(await store.documentChunks(document.path), chunks);
  }
  const chunks = expected.flatMap((write) => write.chunks);
  assert.deepEqual(
    { ...(await store.counts()) },
    {
      documents: expected.length,
      chunks: chunks.length,
      vectors: chunks.filter(({ vector }) => vector !== null).length,
    },
  );
  assert.deepEqual(await store.chunks(chunks), chunks);
  const terms = ["everywhere", "word0", "word7", "word59", "it's"];
  assert.deepEqual(
    await store.documentFrequencies(terms),
    terms.map((term) => frequencyOf(chunks, "text", term)),
  );
}

/** At most about a hundred, evenly. */
function sample<T>(list: readonly T[]): T[] {
  const step = Math.ceil(list.length / 100);
  return list.filter((_, index) => index % step === 0);
}
