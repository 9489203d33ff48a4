// What the interface promises of the search by words: BM25 over the chunks that are stored now.
import assert from "node:assert/strict";
import type { DocumentWrite, TextQuery, VectorStore } from "../../core/plugin-api.js";
import { assertRanking } from "./assert-ranking.js";
import { chunksOf, okapi } from "./brute-force.js";
import { fill, keyTexts, type Check } from "./check.js";
import { dimensions, everywhere, hostileTexts, randomDocuments, randomFrom } from "./corpus.js";

const queries: readonly TextQuery[] = [
  { clauses: [{ field: "text", terms: ["word5"], weight: 1 }] },
  { clauses: [{ field: "text", terms: ["word0", "word20", "word41", "never-there"], weight: 1 }] },
  { clauses: [{ field: "text", terms: ["word3", "word3", "word30"], weight: 1 }] },
  { clauses: [{ field: "title", terms: ["word1", "word2"], weight: 0.4 }] },
  { clauses: [{ field: "bigrams", terms: ["word1", "日本"], weight: 0.1 }] },
  {
    clauses: [
      { field: "text", terms: ["word1", "word12", everywhere], weight: 1 },
      { field: "title", terms: ["word1", "word12"], weight: 0.4 },
      { field: "bigrams", terms: ["word1"], weight: 0.1 },
    ],
  },
  {
    clauses: [
      { field: "text", terms: ["word2"], weight: 2 },
      { field: "text", terms: ["word9"], weight: 0.5 },
      { field: "title", terms: [], weight: 1 },
    ],
  },
];

export const textSearchChecks: readonly Check[] = [
  {
    name: "scores by BM25, summed over fields with their weights",
    async run({ store }) {
      const documents = randomDocuments(51, 150);
      await fill(store, documents);
      await assertRankings(store, documents);
    },
  },
  {
    name: "scores what is stored now, whatever was stored before",
    async run({ store, another }) {
      const documents = randomDocuments(52, 60);
      await fill(store, documents);
      const livedIn = await another();
      await live(livedIn, documents);
      await assertRankings(livedIn, documents);
      for (const query of queries) {
        const [fresh, used] = await Promise.all([
          store.textSearch(query, 500),
          livedIn.textSearch(query, 500),
        ]);
        const scores = (hits: typeof fresh): string[] => hits.map(({ score }) => score.toPrecision(5));
        assert.deepEqual(scores(used), scores(fresh), JSON.stringify(query));
      }
    },
  },
  {
    name: "finds every term as it is and nothing like it",
    async run({ store }) {
      const documents = randomDocuments(53, 100);
      const all = chunksOf(documents);
      await fill(store, documents);
      for (const term of hostileTexts)
        for (const field of ["text", "title", "bigrams"] as const) {
          const found = await store.textSearch(
            { clauses: [{ field, terms: [term], weight: 1 }] },
            all.length,
          );
          const expected = all.map(({ chunk }) => chunk).filter((chunk) => chunk.terms[field].includes(term));
          assert.deepEqual(keyTexts(found).sort(), keyTexts(expected).sort(), `${term} in ${field}`);
        }
    },
  },
  {
    name: "finds nothing without a term, with unknown terms, and for a k of 0",
    async run({ store }) {
      await fill(store, randomDocuments(54, 10));
      assert.deepEqual(await store.textSearch({ clauses: [] }, 10), []);
      assert.deepEqual(
        await store.textSearch({ clauses: [{ field: "text", terms: [], weight: 1 }] }, 10),
        [],
      );
      const unknown: TextQuery = { clauses: [{ field: "text", terms: ["never-there"], weight: 1 }] };
      assert.deepEqual(await store.textSearch(unknown, 10), []);
      const known: TextQuery = { clauses: [{ field: "text", terms: [everywhere], weight: 1 }] };
      assert.deepEqual(await store.textSearch(known, 0), []);
    },
  },
];

async function assertRankings(store: VectorStore, documents: readonly DocumentWrite[]): Promise<void> {
  const all = chunksOf(documents);
  for (const query of queries) {
    const expected = okapi(all, query);
    for (const k of [1, 7, all.length])
      assertRanking(await store.textSearch(query, k), expected, k, `k ${k} of ${JSON.stringify(query)}`);
    const filter = { minQuality: 0.5 };
    assertRanking(
      await store.textSearch(query, 5, filter),
      okapi(all, query, filter),
      5,
      JSON.stringify(query),
    );
  }
}

/** Brings a store to the same content by a long way: other versions, other documents, maintenance in between. */
async function live(store: VectorStore, documents: readonly DocumentWrite[]): Promise<void> {
  const random = randomFrom(55);
  const others = randomDocuments(56, 40).map(({ document, chunks }) => {
    const path = `gone/${document.path}`;
    return { document: { ...document, path }, chunks: chunks.map((chunk) => ({ ...chunk, path })) };
  });
  await store.reset({ dimensions, meta: {} });
  await store.write({ put: others });
  await store.maintain(new AbortController().signal);
  // A first version of every other document, with the chunks in each other's place.
  await store.write({
    put: documents
      .filter((_, index) => index % 2 === 0)
      .map(({ document, chunks }) => ({
        document,
        chunks: chunks.map((chunk) => ({
          ...chunk,
          terms: { ...chunk.terms, text: [everywhere, "word1", "word2"] },
        })),
      })),
  });
  for (let at = 0; at < documents.length; at += 5)
    await store.write({
      put: documents.slice(at, at + 5),
      delete: others.splice(0, random.below(3)).map(({ document }) => document.path),
    });
  await store.write({ delete: others.map(({ document }) => document.path) });
}
