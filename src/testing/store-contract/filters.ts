// What the interface promises of filters: each condition, alone and with others, against brute force.
import assert from "node:assert/strict";
import type { ChunkFilter, ChunkKey, TextQuery } from "../../core/plugin-api.js";
import { chunksOf, filtered } from "./brute-force.js";
import { fill, keyTexts, type Check, type CheckSubject } from "./check.js";
import { everywhere, hostileTexts, randomDocuments, randomFrom, randomVector } from "./corpus.js";

/** A query that every chunk answers. */
const anything: TextQuery = { clauses: [{ field: "text", terms: [everywhere], weight: 1 }] };

/** Conditions that some chunks meet and some do not. */
const conditions: readonly ChunkFilter[] = [
  { categoryKey: "guide" },
  { categoryKey: "it's" },
  { topicKey: "ops" },
  { topicKey: "o%s" },
  { topicKey: "team_a" },
  { pathIncludes: ["ops/.*"] },
  { pathIncludes: ["ops/.*", "team'a/.*"] },
  { pathIncludes: ["[^/]*\\.md|ops/[^/]*"] },
  { pathIncludes: [".*100%_.*"] },
  { pathExcludes: [".*o'brien.*"] },
  { pathExcludes: ["ops/.*", ".*\\\\.*", ".*a\\|b.*"] },
  { contentIncludes: ["garden"] },
  { contentIncludes: ["moss", "(?:^|[^\\p{L}\\p{N}])garden(?:$|[^\\p{L}\\p{N}])"] },
  { contentIncludes: ["新幹線", "moss\\s+a"] },
  { contentExcludes: ["moss"] },
  {
    contentIncludes: ["c\\+\\+"],
    contentExcludes: ["it's 100% \\(", "[\\p{Script=Han}\\p{Script=Hiragana}]"],
  },
  { contentIncludes: [], contentExcludes: [] },
  { tagKeysAny: ["alpha"] },
  { tagKeysAny: ["o'neil", "日本", "back\\slash"] },
  { tagKeysAll: ["alpha", "beta"] },
  { tagKeysAll: ["al%"] },
  { tagKeysAll: ["x,y", "[z]"] },
  { dateFrom: "2021-05-12" },
  { dateTo: "2021-05-12" },
  { dateFrom: "2021-01-01", dateTo: "2022-12-31" },
  { minQuality: 0.3 },
  { minQuality: 1 },
  { pathIncludes: [], pathExcludes: [], tagKeysAny: [], tagKeysAll: [] },
];

export const filterChecks: readonly Check[] = [
  {
    name: "applies each condition in both searches",
    run: (subject) => compare(subject, conditions),
  },
  {
    name: "applies conditions together",
    run(subject) {
      const random = randomFrom(42);
      const together = Array.from({ length: 40 }, () =>
        Object.assign({}, random.pick(conditions), random.pick(conditions), random.pick(conditions)),
      );
      return compare(subject, together);
    },
  },
  {
    name: "takes any text as a value and nothing but a value",
    async run(subject) {
      await compare(
        subject,
        hostileTexts.flatMap((value) => [
          { categoryKey: value },
          { topicKey: value },
          { tagKeysAny: [value] },
          { tagKeysAll: ["alpha", value], dateFrom: value },
        ]),
      );
    },
  },
  {
    name: "takes the best k of what passes, not what passes of the best k",
    async run({ store }) {
      const documents = randomDocuments(43, 120);
      const all = chunksOf(documents);
      await fill(store, documents);
      for (const filter of conditions) {
        const passing = filtered(all, filter);
        const found = await store.textSearch(anything, 3, filter);
        assert.equal(found.length, Math.min(3, passing.length), JSON.stringify(filter));
        const near = await store.vectorSearch(randomVector(randomFrom(44)), 3, filter);
        const withVector = passing.filter(({ chunk }) => chunk.vector !== null);
        assert.equal(near.length, Math.min(3, withVector.length), JSON.stringify(filter));
      }
    },
  },
];

function byKey(a: ChunkKey, b: ChunkKey): number {
  return a.path === b.path ? a.position - b.position : a.path < b.path ? -1 : 1;
}

async function compare({ store }: CheckSubject, filters: readonly ChunkFilter[]): Promise<void> {
  const documents = randomDocuments(41, 120);
  const all = chunksOf(documents);
  await fill(store, documents);
  const vector = randomVector(randomFrom(45));
  for (const filter of filters) {
    const passing = filtered(all, filter);
    const [byWords, byVector] = await Promise.all([
      store.textSearch(anything, all.length, filter),
      store.vectorSearch(vector, all.length, filter),
    ]);
    const what = JSON.stringify(filter);
    assert.deepEqual(keyTexts(byWords).sort(), keyTexts(passing.map(({ chunk }) => chunk)).sort(), what);
    const withVector = passing.map(({ chunk }) => chunk).filter((chunk) => chunk.vector !== null);
    assert.deepEqual(keyTexts(byVector).sort(), keyTexts(withVector).sort(), what);
    const inOrder = passing.map(({ chunk: { path, position } }) => ({ path, position })).sort(byKey);
    for (const k of [0, 3, all.length])
      assert.deepEqual(
        await store.filteredChunks(filter, k),
        inOrder.slice(0, k),
        `the first ${k} of ${what}`,
      );
  }
}
