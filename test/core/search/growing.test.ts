// Parent passages through the whole pipeline: what they must not take in, that there are as many as were asked for,
// and that a document which changes meanwhile is never shown as a mixture.
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { DocumentWrite, VectorStore } from "../../../src/core/plugin-api.js";
import type { SearchReply, SearchRequest } from "../../../src/core/search/search-reply.js";
import { indexDocuments, type SampleDocument } from "../../support/indexed-documents.js";
import { letterEmbedder } from "../../support/letter-embedder.js";
import { memoryStore } from "../../support/memory-store.js";
import { searchOver, type SearchSetup } from "../../support/search-over-store.js";

type Ask = (request: SearchRequest) => Promise<SearchReply>;

function asking(store: VectorStore, options: SearchSetup["options"] = {}): Ask {
  const search = searchOver(store, { options });
  return (request) => search(request, new AbortController().signal);
}

async function searching(
  documents: readonly SampleDocument[],
  options?: SearchSetup["options"],
): Promise<Ask> {
  return asking(memoryStore(await indexDocuments(documents, letterEmbedder())), options);
}

const contents = ({ results }: SearchReply): string[] => results.map(({ content }) => content);

describe("a hit that grows", () => {
  const guide: SampleDocument = {
    path: "guide.md",
    chunks: [
      "Quartz is polished with water.",
      { content: "TODO", quality: 0.1 },
      "Opal is polished with felt.",
    ],
  };

  it("takes in nothing of lower quality than was asked for, or is configured", async () => {
    const request = { query: "quartz", limit: 1, parent_retriever: true };
    const configured = await searching([guide], { qualityFilter: { enabled: true, threshold: 0.3 } });
    expect(contents(await configured(request))).toEqual(["Quartz is polished with water."]);
    const whole = "Quartz is polished with water.\nTODO\nOpal is polished with felt.";
    expect(contents(await configured({ ...request, min_quality: 0.1 }))).toEqual([whole]);
    expect(contents(await configured({ ...request, include_low_quality: true }))).toEqual([whole]);
    const open = await searching([guide]);
    expect(contents(await open(request))).toEqual([whole]);
    expect(contents(await open({ ...request, min_quality: 0.5 }))).toEqual([
      "Quartz is polished with water.",
    ]);
  });

  it("does not make an excluded phrase out of the end of one chunk and the beginning of the next", async () => {
    const search = await searching([
      { path: "a.md", chunks: ["Topaz glows when it is left in THE", "Rain that falls", "on topaz."] },
    ]);
    const request = { limit: 2, parent_retriever: true };
    expect(contents(await search({ ...request, query: "topaz" }))).toHaveLength(1);
    expect(contents(await search({ ...request, query: 'topaz -"the rain"' })).sort()).toEqual([
      "Rain that falls\non topaz.",
      "Topaz glows when it is left in THE",
    ]);
  });

  it("leaves room for as many hits as were asked for, however many it takes in", async () => {
    const long = {
      path: "long.md",
      chunks: Array.from({ length: 21 }, (_, at) => `Lantern lantern, lantern ${at}.`),
    };
    const others = Array.from({ length: 12 }, (_, at) => ({
      path: `other-${at}.md`,
      chunks: [`A lantern is named once among the ropes, the sails and the decks of ship ${at}.`],
    }));
    const search = await searching([long, ...others]);
    for (const limit of [1, 2, 3, 13]) {
      const reply = await search({ query: "lantern", limit, parent_retriever: true });
      expect(reply.results).toHaveLength(limit);
      expect(reply.results[0]!.path).toBe("long.md");
      if (limit <= 3) expect(new Set(reply.results.map(({ path }) => path)).size).toBe(limit);
    }
  });

  it("names what it took in among the best ten, or the best three for each hit", async () => {
    const others = Array.from({ length: 4 }, (_, at) => ({
      path: `a-${at}.md`,
      chunks: [`Lantern lantern lantern ${at}`],
    }));
    const long = {
      path: "long.md",
      chunks: Array.from({ length: 20 }, (_, at) => `One lantern of many, ${at}`),
    };
    const search = await searching([...others, long], { vectorWeight: 0 });
    const { results } = await search({ query: "lantern", limit: 5, parent_retriever: true });
    expect(results.map(({ path }) => path)).toEqual(["a-0.md", "a-1.md", "a-2.md", "a-3.md", "long.md"]);
    expect(results[4]!.expanded_from).toHaveLength(3 * 5 - 4);
    const one = await search({ query: "many", limit: 1, parent_retriever: true });
    expect(one.results[0]!.expanded_from).toHaveLength(10);
  });
});

describe("a document that is indexed anew during a search", () => {
  const before: SampleDocument[] = [
    { path: "a.md", chunks: ["OLD first part.", "OLD moss part.", "OLD last part."] },
    { path: "b.md", chunks: ["Moss of another document.", "More of it."] },
  ];
  /** A store in which `now` is written after the first read of chunks. */
  async function changing(now: readonly DocumentWrite[]): Promise<Ask> {
    const store = memoryStore(await indexDocuments(before, letterEmbedder()));
    let reads = 0;
    const chunks = (async (keys) => {
      const read = await store.chunks(keys);
      reads += 1;
      if (reads === 1) await store.write({ put: now });
      return read;
    }) as VectorStore["chunks"];
    const search = asking({ ...store, chunks });
    return async (request) => {
      const reply = await search(request);
      expect(reads).toBeGreaterThan(1);
      return reply;
    };
  }
  const request = { query: "moss", limit: 2, parent_retriever: true };

  it.each([
    ["longer", ["NEW first part.", "NEW moss part.", "NEW last part.", "NEW more."]],
    ["shorter", ["NEW moss part."]],
  ])("is shown as it was found where it is %s now, and others grow", async (_, texts) => {
    const now = await indexDocuments([{ path: "a.md", chunks: texts }], letterEmbedder());
    const reply = await (await changing(now))({ ...request, path_globs: ["{a,b}.md"] });
    const both = contents(reply);
    expect(both).toContain("OLD moss part.");
    expect(both).toContain("Moss of another document.\nMore of it.");
    expect(both.join()).not.toContain("NEW");
  });

  it("is shown as it is now where the passage that was found is still the same", async () => {
    const texts = ["NEW first part.", "OLD moss part.", "NEW last part."];
    const [write] = await indexDocuments([{ path: "a.md", chunks: texts }]);
    const search = await changing([write!]);
    const reply = await search({ ...request, query: '"moss part"', limit: 1 });
    expect(contents(reply)).toEqual([texts.join("\n")]);
  });
});

describe("hits that grow, whatever is asked of whatever is there,", () => {
  const word = fc.constantFrom("red", "fox", "stone");
  const chunk = fc.record({ first: word, last: word, quality: fc.constantFrom(0.1, 0.9, 0.9) });
  const corpus = fc.array(fc.array(chunk, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 });

  it("hold nothing that is excluded or hidden, do not overlap, and leave out nothing while there is a place", async () => {
    let seams = 0;
    let hidden = 0;
    await fc.assert(
      fc.asyncProperty(corpus, fc.integer({ min: 1, max: 6 }), async (made, limit) => {
        const id = (at: number, position: number): string => `m${at}x${position}`;
        const search = await searching(
          made.map((chunks, at) => ({
            path: `${at}.md`,
            chunks: chunks.map(({ first, last, quality }, position) => ({
              content: `${first} moss ${id(at, position)} ${last}`,
              quality,
            })),
          })),
        );
        const question = { query: 'moss -"red fox"', min_quality: 0.3 };
        const single = await search({ ...question, limit: 100 });
        const { results } = await search({ ...question, limit, parent_retriever: true });

        expect(results.length).toBeLessThanOrEqual(limit);
        const idsOf = (texts: readonly string[]): string[] => texts.join(" ").match(/m\dx\d/gu) ?? [];
        const shown = idsOf(results.map(({ content }) => content));
        expect(new Set(shown).size).toBe(shown.length);
        for (const { content } of results) expect(content).not.toMatch(/red\s+fox/u);
        for (const name of shown) {
          const [at, position] = name.slice(1).split("x").map(Number);
          expect(made[at!]![position!]!.quality).toBeGreaterThanOrEqual(0.3);
        }
        if (results.length < limit) for (const name of idsOf(contents(single))) expect(shown).toContain(name);
        for (const chunks of made)
          chunks.forEach(({ last, quality }, position) => {
            if (quality < 0.3) hidden += 1;
            else if (last === "red" && chunks[position + 1]?.first === "fox") seams += 1;
          });
      }),
      { numRuns: 150 },
    );
    expect(Math.min(seams, hidden)).toBeGreaterThan(20);
  });
});
