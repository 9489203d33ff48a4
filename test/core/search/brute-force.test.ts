// With any filter, phrase and exclusion, over a real store, the hits are those of a brute-force search over the
// passages that pass. What passes is written here from the requests, not from what the product makes of them. The corpus
// is several times as large as what a leg takes part with: filters have to come before that is cut off.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { DocumentWrite, ScoredChunk } from "../../../src/core/plugin-api.js";
import { compileQuery } from "../../../src/core/search/compile-query.js";
import type { Search } from "../../../src/core/search/search.js";
import type { SearchRequest } from "../../../src/core/search/search-reply.js";
import {
  chunksOf,
  nearest,
  okapi,
  type ChunkOfDocument,
} from "../../../src/testing/store-contract/brute-force.js";
import { indexDocuments, type SampleDocument } from "../../support/indexed-documents.js";
import { letterEmbedder } from "../../support/letter-embedder.js";
import { searchOver } from "../../support/search-over-store.js";
import { storeFolder, type StoreFolder } from "../../support/store-in-folder.js";

const words = [
  "moss",
  "Gardens",
  "rain",
  "stone",
  "新幹線",
  "東海道新幹線",
  "サーバー",
  "ｻｰﾊﾞ",
  "京都の",
  "AI",
  "C++",
  "1.2.3",
  "🚀",
  "서울에서",
];
const sought = [
  "moss",
  "garden",
  "rain stone",
  "新幹線",
  "海道",
  "サーバ",
  "京都",
  "ai",
  "c++",
  "1.2",
  "3",
  "서울",
  "gar",
  "の",
];
const folders = ["", "ops/", "ops/runbooks/", "資料/"];
const tags = ["Alpha", "beta", "日本"];
const days = ["2024-01-01", "2024-06-15", "2025-01-01"];

const documents = fc
  .sample(
    fc.record({
      folder: fc.constantFrom(...folders),
      category: fc.option(fc.constantFrom("Guide", "Log"), { nil: undefined }),
      date: fc.option(fc.constantFrom(...days), { nil: undefined }),
      tags: fc.subarray(tags),
      chunks: fc.array(
        fc.record({
          content: fc
            .array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 })
            .chain((some) => fc.constantFrom(" ", "\n", "、").map((between) => some.join(between))),
          quality: fc.constantFrom(0.1, 0.3, 0.8),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    }),
    // A fixed seed: the property varies the question, not the corpus.
    { numRuns: 170, seed: 7 },
  )
  .map(({ folder, category, date, ...rest }, index): SampleDocument => ({
    path: `${folder}${index}.md`,
    title: "",
    ...(category !== undefined && { category }),
    ...(date !== undefined && { date }),
    ...rest,
  }));

const limit = 100;
let place: StoreFolder;
let search: Search;
let writes: DocumentWrite[];
let all: ChunkOfDocument[];
const embedder = letterEmbedder();

beforeAll(async () => {
  place = await storeFolder();
  const store = await place.open();
  writes = await indexDocuments(documents, embedder);
  // In the order in which equally good passages stand.
  all = chunksOf(writes.toSorted((a, b) => (a.document.path < b.document.path ? -1 : 1)));
  await store.reset({ dimensions: embedder.dimensions, meta: {} });
  await store.write({ put: writes });
  search = searchOver(store, {
    embedder,
    options: { limit, qualityFilter: { enabled: true, threshold: 0.3 }, maxReplyTokens: 1_000_000 },
  });
});
afterAll(() => place.remove());

interface Question extends SearchRequest {
  readonly terms: string[];
  readonly phrases: string[];
  readonly excluded: string[];
}

const filters = fc.record(
  {
    category: fc.constantFrom("guide", "LOG", "none"),
    topic: fc.constantFrom("ops", "OPS/runbooks", "資料"),
    path_globs: fc.constantFrom<string[][]>(["ops/**"], ["!ops/**"], ["*1.md", "資料/*"], ["**", "!*2.md"]),
    tags_any: fc.subarray(["alpha", "#BETA", "日本", "none"], { minLength: 1 }),
    tags_all: fc.subarray(["ALPHA", "beta"], { minLength: 1 }),
    date_from: fc.constantFrom(...days),
    date_to: fc.constantFrom("2024-06-15", "2025-01-01"),
    min_quality: fc.constantFrom(0, 0.2, 0.5),
    include_low_quality: fc.boolean(),
  },
  { requiredKeys: [] },
);
type Filters = typeof filters extends fc.Arbitrary<infer Value> ? Value : never;
/** None to three of them: all at once let nothing through. */
const fewFilters = fc
  .tuple(filters, fc.integer({ min: 0, max: 3 }), fc.nat())
  .map(([all, count, from]): Filters => {
    const entries = Object.entries(all);
    return Object.fromEntries(
      Array.from(
        { length: Math.min(count, entries.length) },
        (_, at) => entries[(from + at) % entries.length]!,
      ),
    );
  });
const conditions = fc.oneof(
  { weight: 2, arbitrary: fc.constant<string[]>([]) },
  { weight: 1, arbitrary: fc.subarray(sought, { maxLength: 2 }) },
);

const questions: fc.Arbitrary<Question> = fc
  .record({
    terms: fc.subarray(sought, { minLength: 1, maxLength: 3 }),
    phrases: conditions,
    excluded: conditions,
    filters: fewFilters,
  })
  .filter(({ filters: { date_from = "", date_to = "9" } }) => date_from <= date_to)
  .map(({ terms, phrases, excluded, filters: chosen }) => ({
    ...chosen,
    terms,
    phrases,
    excluded,
    query: [...terms, ...phrases.map((text) => `"${text}"`), ...excluded.map((text) => `-"${text}"`)].join(
      " ",
    ),
  }));

function passes({ document, chunk }: ChunkOfDocument, question: Question): boolean {
  const { category, topic, path_globs: globs, tags_any: any, tags_all: all } = question;
  const lower = (text: string): string => text.toLowerCase().replace("#", "");
  const tagged = (tag: string): boolean => document.tags.some((own) => lower(own) === lower(tag));
  const folder = document.path.includes("/") ? document.path.replace(/\/[^/]*$/u, "") : "";
  const matches = (glob: string): boolean => {
    if (glob === "**") return true;
    if (glob === "ops/**") return document.path.startsWith("ops/");
    if (glob === "資料/*") return folder === "資料";
    return document.path.endsWith(glob.slice(1));
  };
  const least = question.min_quality ?? (question.include_low_quality === true ? 0 : 0.3);
  return (
    (category === undefined || lower(document.category ?? "") === lower(category)) &&
    (topic === undefined || `${folder}/`.startsWith(`${lower(topic)}/`)) &&
    (globs?.every((glob) => glob.startsWith("!")) !== false ||
      globs.some((glob) => !glob.startsWith("!") && matches(glob))) &&
    !globs?.some((glob) => glob.startsWith("!") && matches(glob.slice(1))) &&
    (any === undefined || any.some(tagged)) &&
    (all ?? []).every(tagged) &&
    (question.date_from === undefined || (document.date ?? "") >= question.date_from) &&
    (question.date_to === undefined || (document.date ?? "~") <= question.date_to) &&
    chunk.quality >= least &&
    question.phrases.every((phrase) => holds(chunk.content, phrase)) &&
    !question.excluded.some((phrase) => holds(chunk.content, phrase))
  );
}

/** By splitting, not by patterns. */
function holds(content: string, phrase: string): boolean {
  const plain = (text: string): string => text.normalize("NFKC").toLowerCase().split(/\s+/u).join(" ");
  const text = plain(content);
  const wanted = plain(phrase);
  const isLatin = (character: string | undefined): boolean => /^[a-z0-9]$/u.test(character ?? "");
  const pieces = text.split(wanted);
  let at = 0;
  return pieces.slice(1).some((_piece, index) => {
    at += pieces[index]!.length;
    const [before, after] = [text[at - 1], text[at + wanted.length]];
    at += wanted.length;
    return !(isLatin(wanted[0]) && isLatin(before)) && !(isLatin(wanted.at(-1)) && isLatin(after));
  });
}

interface Expected {
  /** The passages that pass. */
  readonly passing: ReadonlySet<string>;
  readonly scores: ReadonlyMap<string, number>;
  /** Whether a leg found more than it takes part with. */
  readonly isCut: boolean;
}

/** Hits of each leg that take part. */
const legDepth = 100;

/** Min-max of each leg's best hundred, added by weight, with what a document's other passages add to its best. */
function bruteForce(question: Question, vector: Float32Array | null): Expected {
  const passing = new Set(all.filter((one) => passes(one, question)).map(({ chunk }) => key(chunk)));
  const { textQuery } = compileQuery(question.query);
  const byWords = okapi(all, textQuery).filter((hit) => passing.has(key(hit)));
  const named = new Set(byWords.map(key));
  if (question.phrases.length > 0)
    for (const { chunk } of all)
      if (passing.has(key(chunk)) && !named.has(key(chunk))) byWords.push({ ...chunk, score: 0 });
  const byMeaning = vector === null ? [] : nearest(all, vector).filter((hit) => passing.has(key(hit)));
  const weight =
    byMeaning.length === 0 ? 0 : byWords.length === 0 ? 1 : weightOfMeaning(byWords[0]?.score ?? 0, question);
  const scores = new Map<string, number>();
  for (const [leg, share, floor] of [
    [byWords, 1 - weight, 0.5],
    [byMeaning, weight, 1],
  ] as const) {
    const best = leg.slice(0, legDepth);
    const values = best.map(({ score }) => score);
    const [low, high] = [floor * Math.min(...values), Math.max(...values)];
    for (const hit of best)
      scores.set(
        key(hit),
        (scores.get(key(hit)) ?? 0) + share * (high > low ? (hit.score - low) / (high - low) : 1),
      );
  }
  const isCut = byWords.length > legDepth || byMeaning.length > legDepth;
  return { passing, scores: withSupport(scores), isCut };
}

/** From four thirds of the embedder's weight where the best passage has .3 of the words' idf, to two thirds from .8 on. */
function weightOfMeaning(best: number, { query }: Question): number {
  const idf = (term: string): number => {
    const holding = all.filter(({ chunk }) => chunk.terms.text.includes(term)).length;
    return Math.log(1 + (all.length - holding + 0.5) / (holding + 0.5));
  };
  let sum = 0;
  for (const { term, kind } of compileQuery(query).terms)
    sum += idf(term) * (kind === "content" ? 1 : kind === "identifier" ? 3 : 0.5);
  const share = best / sum;
  const factor = share <= 0.3 ? 4 / 3 : share >= 0.8 ? 2 / 3 : 4 / 3 - (share - 0.3) / 0.75;
  return embedder.fusionWeight * factor;
}

/** The best passage of each document with a fifth of the others, the nth of them times .7 to the n. */
function withSupport(fused: ReadonlyMap<string, number>): Map<string, number> {
  const parts = [...fused].map(([id, score]) => {
    const at = id.lastIndexOf(":");
    return {
      id,
      path: id.slice(0, at),
      line: Number(id.slice(at + 1)),
      score: Math.round(score * 1e4) / 1e4,
    };
  });
  const scores = new Map(parts.map(({ id, score }) => [id, score]));
  for (const path of new Set(parts.map((part) => part.path))) {
    const [best, ...others] = parts
      .filter((part) => part.path === path)
      .sort((a, b) => b.score - a.score || a.line - b.line);
    if (best === undefined) continue;
    const support = others.map(({ score }, index) => score * 0.7 ** index);
    scores.set(best.id, best.score + 0.2 * support.reduce((sum, score) => sum + score, 0));
  }
  const highest = Math.max(1, ...scores.values());
  return new Map([...scores].map(([id, score]) => [id, score / highest]));
}

const key = ({ path, position }: Pick<ScoredChunk, "path" | "position">): string => `${path}:${position + 1}`;

describe("a search", () => {
  it("finds what brute force finds among the passages that pass, with the same scores", async () => {
    expect(all.length).toBeGreaterThan(4 * legDepth);
    let whole = 0;
    let cut = 0;
    let none = 0;
    await fc.assert(
      fc.asyncProperty(questions, async (question) => {
        const { results } = await search(question, new AbortController().signal);
        const { text } = compileQuery(question.query);
        const vector = await embedder.embedQuery(text, new AbortController().signal);
        const { passing, scores, isCut } = bruteForce(question, vector);
        const found = results.map(({ path, start_line, score }) => ({ id: `${path}:${start_line}`, score }));
        const ranks = found.map(({ score }) => score);
        expect(ranks).toEqual([...ranks].sort((a, b) => b - a));
        expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
        // Of equally good passages at the cut of a leg either may take part, with a share of 0: it is absent here, or
        // there. Where nothing is cut off, the passages are the same.
        const best = [...scores.values()].sort((a, b) => b - a).slice(0, limit);
        expect(found).toHaveLength(best.length);
        const isNear = (a: number, b: number | undefined): boolean => Math.abs(a - (b ?? NaN)) < 0.001;
        const wrong = found.filter(
          ({ id, score }, rank) =>
            !passing.has(id) ||
            !isNear(score, scores.get(id) ?? (isCut ? 0 : undefined)) ||
            !isNear(score, best[rank]),
        );
        expect(wrong).toEqual([]);
        if (found.length === 0) none += 1;
        else if (isCut) cut += 1;
        else whole += 1;
      }),
      { numRuns: 120 },
    );
    // The property would hold of a search that finds nothing, and of one that filters last where nothing is cut off.
    expect(whole).toBeGreaterThan(20);
    expect(cut).toBeGreaterThan(15);
    expect(none).toBeGreaterThan(0);
  }, 60_000);
});
