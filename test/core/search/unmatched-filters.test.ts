import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { VectorStore } from "../../../src/core/plugin-api.js";
import type { SearchFilters, SearchReply, SearchRequest } from "../../../src/core/search/search-reply.js";
import { indexDocuments, type SampleDocument } from "../../support/indexed-documents.js";
import { memoryStore } from "../../support/memory-store.js";
import { searchOver } from "../../support/search-over-store.js";
import { storeFolder, type StoreFolder } from "../../support/store-in-folder.js";

const documents: SampleDocument[] = [
  {
    path: "ops/runs/a.md",
    category: "Runbook",
    date: "2026-03-01",
    tags: ["Storage"],
    chunks: ["Moss and rain."],
  },
  { path: "b.md", tags: ["garden", "meeting/weekly"], chunks: ["Rain in the garden."] },
  { path: "dim/c.md", category: "Draft", chunks: [{ content: "Moss, to do.", quality: 0.1 }] },
  { path: "bare/d.md", category: "Runbok", tags: ["gardn"], chunks: [] },
];

let folder: StoreFolder;
let store: VectorStore;
beforeAll(async () => {
  folder = await storeFolder();
  store = await folder.open();
  await store.reset({ dimensions: 64, meta: {} });
  await store.write({ put: await indexDocuments(documents) });
});
afterAll(() => folder.remove());

const noVector = "No passage has a vector, so results come from words alone.";

async function find(request: SearchRequest, over = store): Promise<SearchReply> {
  const search = searchOver(over, { options: { qualityFilter: { enabled: true, threshold: 0.3 } } });
  return search(request, new AbortController().signal);
}

/** Those on conditions. */
async function notesOf(request: Partial<SearchRequest>, over = store): Promise<readonly string[]> {
  const { notes } = await find({ query: "moss", ...request }, over);
  return notes.filter((note) => note !== noVector && /^(?:No|Every) /u.test(note));
}

describe("a search that finds nothing", () => {
  it.each<[SearchFilters, string]>([
    [{ category: "runbooks" }, 'No document has the category "runbooks"; did you mean "Runbook"?'],
    [{ category: "ｒｕｎｂｏｏ" }, 'No document has the category "ｒｕｎｂｏｏ"; did you mean "Runbook"?'],
    [{ category: "holidays" }, 'No document has the category "holidays"; there are: "Draft", "Runbook".'],
    [{ topic: "opps" }, 'No document has the topic "opps"; did you mean "ops"?'],
    [{ topic: "ops/run" }, 'No document has the topic "ops/run"; did you mean "ops/runs"?'],
    [{ topic: "holidays" }, 'No document has the topic "holidays"; there are: "dim", "ops", "ops/runs".'],
    [{ tags_all: ["storage", "#stirage"] }, 'No document has the tag "stirage"; did you mean "Storage"?'],
    [{ tags_all: ["meting"] }, 'No document has the tag "meting"; did you mean "meeting"?'],
    [
      { tags_all: ["holidays"] },
      'No document has the tag "holidays"; there are: "Storage", "garden", "meeting", "meeting/weekly".',
    ],
    [
      { tags_any: ["gardens", "holidays", "storag"] },
      'No document has one of the tags "gardens, holidays, storag"; did you mean "garden" or "Storage"?',
    ],
    [{ path_globs: ["opps/**", "!x.md"] }, 'No path matches "opps/**, !x.md".'],
    [{ path_globs: ["!**"] }, 'No path matches "!**".'],
    [
      { date_from: "2027-01-01" },
      "No document has a date in that range; one without a date in its frontmatter is in none.",
    ],
  ])("names the filter that nothing meets: %j", async (filters, note) => {
    expect(await notesOf(filters)).toEqual([note]);
  });

  it("suggests no name that only a document without a passage has", async () => {
    expect(await notesOf({ tags_all: ["gardn"] })).toEqual([
      'No document has the tag "gardn"; did you mean "garden"?',
    ]);
  });

  it.each<[string, string[]]>([
    ['"no such phrase at all"', ['No passage holds the phrase "no such phrase at all".']],
    ['"rain" "mos" moss', ['No passage holds the phrase "mos".']],
    ['"zig" "zag" "zig"', ['No passage holds the phrase "zig".', 'No passage holds the phrase "zag".']],
    ['rain -moss -"rain"', ["No passage is without what the query excludes."]],
  ])("names the phrase that no passage holds: %s", async (query, notes) => {
    expect(await notesOf({ query })).toEqual(notes);
  });

  it.each<[Partial<SearchRequest>, string]>([
    [{ topic: "ops", tags_all: ["garden"] }, "filters"],
    [{ tags_all: ["garden", "storage"] }, "filters"],
    [{ query: '"in the garden" "moss and rain"' }, "phrases"],
    [{ query: '"moss and rain"', tags_any: ["garden"] }, "filters and phrases"],
    [{ query: "rain -garden", tags_any: ["garden"] }, "filters and exclusions"],
    [{ query: '"moss" "garden" -and', topic: "ops" }, "filters, phrases and exclusions"],
  ])("says that what is met by something is not met together: %j", async (request, what) => {
    expect(await notesOf(request)).toEqual([`No passage meets all of the ${what} together.`]);
  });

  it("says that what meets the filters is hidden for its quality", async () => {
    const hidden = (which: string, least: number): string =>
      `Every passage${which} has a quality below ${least} (min_quality), so none is shown.`;
    expect(await notesOf({ topic: "dim" })).toEqual([hidden(" that meets the filters", 0.3)]);
    expect(await notesOf({ query: '"to do"' })).toEqual([hidden(" that meets the phrases", 0.3)]);
    const faint = memoryStore(await indexDocuments([documents[2]!]));
    expect(await notesOf({ min_quality: 0.9 }, faint)).toEqual([hidden("", 0.9)]);
    expect(await notesOf({ topic: "dim", include_low_quality: true })).toEqual([]);
  });

  it("says nothing of conditions that passages meet, or of none", async () => {
    expect(await notesOf({ query: "glaciers", topic: "ops" })).toEqual([]);
    expect(await notesOf({ query: "glaciers" })).toEqual([]);
    expect(await notesOf({ query: "glaciers" }, memoryStore())).toEqual([]);
  });

  it("lists the five names that most documents have, once for each kind", async () => {
    const many = memoryStore(
      await indexDocuments(
        Array.from({ length: 9 }, (_, n) => ({
          path: `${n}.md`,
          tags: Array.from({ length: n + 1 }, (_tag, at) => `tag-${at}`.repeat(4)),
          chunks: ["Moss."],
        })),
      ),
    );
    const names = [0, 1, 2, 3, 4].map((at) => JSON.stringify(`tag-${at}`.repeat(4))).join(", ");
    expect(await notesOf({ tags_all: ["x", "y"] }, many)).toEqual([
      `No document has the tag "x"; there are: ${names} and more.`,
      'No document has the tag "y".',
    ]);
    expect(await notesOf({ category: "x" }, many)).toEqual(['No document has the category "x".']);
  });

  it("keeps its notes few and short, whatever is asked for and whatever documents say", async () => {
    const long = (n: number): string => `${n}/`.repeat(512);
    const hostile = memoryStore(
      await indexDocuments([
        {
          path: `${"p".repeat(900)}/a.md`,
          category: long(7),
          tags: Array.from({ length: 500 }, (_, n) => long(n)),
          chunks: ["Moss."],
        },
      ]),
    );
    const notes = await notesOf(
      {
        query: Array.from({ length: 60 }, (_, n) => `"${n}${"q".repeat(10)}"`).join(" "),
        category: "c".repeat(1000),
        topic: "t".repeat(1000),
        tags_any: Array.from({ length: 60 }, (_, n) => `any${n}`.repeat(100)),
        tags_all: Array.from({ length: 60 }, (_, n) => `all${n}`.repeat(100)),
      },
      hostile,
    );
    expect(notes).toHaveLength(8);
    for (const note of notes) expect(note.length).toBeLessThan(400);
    const lists = await notesOf({ tags_all: ["x"], topic: "y", category: "z" }, hostile);
    expect(lists.filter((note) => note.includes("there are: "))).toHaveLength(3);
    expect(lists.join("")).toContain('…"');
    for (const note of lists) expect(note.length).toBeLessThan(400);
  });

  it("finds the nearest of very many names", async () => {
    const tags = Array.from({ length: 8000 }, (_, n) => `w${(n * 7919).toString(36)}`);
    const crowd = await indexDocuments(
      Array.from({ length: 100 }, (_, n) => ({
        path: `${n}.md`,
        tags: [...tags.slice(n * 80, n * 80 + 80), ...(n === 99 ? ["Retrospective"] : [])],
        chunks: ["Moss."],
      })),
    );
    expect(await notesOf({ tags_all: ["retrospektive"] }, memoryStore(crowd))).toEqual([
      'No document has the tag "retrospektive"; did you mean "Retrospective"?',
    ]);
  });

  it("ends when cancelled while it reads the names", async () => {
    const controller = new AbortController();
    const inner = memoryStore(await indexDocuments(documents));
    const cancelling: VectorStore = {
      ...inner,
      documents(fields) {
        controller.abort();
        return inner.documents(fields);
      },
    };
    await expect(
      searchOver(cancelling)({ query: "moss", topic: "opps" }, controller.signal),
    ).rejects.toMatchObject({ code: "KB_CANCELLED" });
  });
});

describe("a search that finds something", () => {
  it("says nothing of conditions; one that finds nothing says at most eight things", async () => {
    const some = <T>(values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
    const request = fc.record<Partial<SearchRequest>>(
      {
        topic: some(["ops", "ops", "opps"]),
        category: some(["runbook", "runbook", "x"]),
        tags_any: fc.subarray(["garden", "storage", "attic"]),
        tags_all: some([[], ["storage"], ["garden", "storage"]]),
        path_globs: fc.subarray(["!b.md", "!dim/**", "ops/**"]),
        include_low_quality: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    const query = fc
      .subarray(['"moss"', '"and rain"', '"attic"', "-garden", "-and"], { maxLength: 2 })
      .map((parts) => `moss rain ${parts.join(" ")}`);
    const inMemory = memoryStore(await indexDocuments(documents));
    const seen = { something: 0, nothing: 0 };
    await fc.assert(
      fc.asyncProperty(query, request, async (text, filters) => {
        const { results } = await find({ query: text, ...filters }, inMemory);
        const notes = await notesOf({ query: text, ...filters }, inMemory);
        seen[results.length > 0 ? "something" : "nothing"] += 1;
        if (results.length > 0) expect(notes).toEqual([]);
        expect(notes.length).toBeLessThanOrEqual(8);
      }),
      { numRuns: 300 },
    );
    expect(Math.min(seen.something, seen.nothing)).toBeGreaterThan(20);
  });
});
