// Phrases and exclusions through the whole search over a real store: what is found is what brute force says.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { Search } from "../../../src/core/search/search.js";
import type { SearchReply } from "../../../src/core/search/search-reply.js";
import { fold } from "../../../src/core/text/fold.js";
import { indexDocuments, type SampleDocument } from "../../support/indexed-documents.js";
import { letterEmbedder } from "../../support/letter-embedder.js";
import { searchOver } from "../../support/search-over-store.js";
import { storeFolder, type StoreFolder } from "../../support/store-in-folder.js";

const words = [
  "moss",
  "garden",
  "gardens",
  "rain",
  "in the",
  "MOSS",
  "新幹線",
  "東海道新幹線",
  "ﾊﾞｰ",
  "AI",
  "生成AIの",
];
/** Every pair of words once, so that each phrase of two is somewhere and each word is in many places. */
const documents: SampleDocument[] = words.flatMap((first, x) =>
  words.map((second, y) => ({ path: `${x % 3}/${x}-${y}.md`, chunks: [`note ${first} ${second}.`] })),
);

let folder: StoreFolder;
let search: Search;
beforeAll(async () => {
  folder = await storeFolder();
  const store = await folder.open();
  const embedder = letterEmbedder();
  await store.reset({ dimensions: embedder.dimensions, meta: {} });
  await store.write({ put: await indexDocuments(documents, embedder) });
  search = searchOver(store, { embedder, options: { limit: 100, maxReplyTokens: 1_000_000 } });
});
afterAll(() => folder.remove());

const find = (query: string, topic?: string): Promise<SearchReply> =>
  search({ query, ...(topic !== undefined && { topic }) }, new AbortController().signal);
const pathsOf = ({ results }: SearchReply): string[] => results.map(({ path }) => path).sort();

/** Written differently from the product: by splitting, not by patterns. */
function holds(content: string, phrase: string): boolean {
  const text = fold(content).replace(/\s+/gu, " ");
  const sought = fold(phrase);
  const isLatin = (character: string | undefined): boolean =>
    /^[\p{Script=Latin}\p{N}]$/u.test(character ?? "");
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + 1)) {
    const cutBefore = isLatin(sought[0]) && isLatin(text[at - 1]);
    const cutAfter = isLatin(sought.at(-1)) && isLatin(text[at + sought.length]);
    if (!cutBefore && !cutAfter) return true;
  }
  return false;
}

describe("phrases and exclusions", () => {
  it("let through exactly what holds the phrases and none of the exclusions, with a filter too", async () => {
    const some = fc.subarray(words, { maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(some, some, fc.constantFrom(undefined, "0", "1"), async (phrases, excluded, topic) => {
        // "note" is in every passage: what is left out is left out by the conditions.
        const query = [
          "note",
          ...phrases.map((word) => `"${word}"`),
          ...excluded.map((word) => `-"${word}"`),
        ].join(" ");
        const expected = documents
          .filter(({ path }) => topic === undefined || path.startsWith(`${topic}/`))
          .filter(({ chunks: [content] }) => phrases.every((phrase) => holds(content as string, phrase)))
          .filter(({ chunks: [content] }) => !excluded.some((phrase) => holds(content as string, phrase)))
          .map(({ path }) => path)
          .sort();
        const found = pathsOf(await find(query, topic));
        if (expected.length <= 100) expect(found).toEqual(expected);
        else expect(found.every((path) => expected.includes(path))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("keep the vector leg to them too", async () => {
    const reply = await find('gardn "rain" -moss');
    expect(reply.mode).toBe("hybrid");
    expect(reply.results.length).toBeGreaterThan(0);
    for (const { content } of reply.results) {
      expect(content).toMatch(/\brain\b/u);
      expect(content).not.toMatch(/\bmoss\b/iu);
    }
  });

  it("are said in the notes where they exclude", async () => {
    expect((await find('note -moss -"in the"')).notes).toContain(
      'Passages with "moss", "in the" were excluded, as the query asks.',
    );
    expect((await find('note "moss"')).notes).toEqual([]);
  });

  it("are refused alone where they only exclude", async () => {
    await expect(find('-moss -"in the"')).rejects.toMatchObject({
      code: "KB_SEARCH_QUERY",
      message: "The query holds only exclusions",
      hint: expect.stringContaining("-moss"),
    });
  });
});
