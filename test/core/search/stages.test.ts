// The stages after fusion, through the whole pipeline: reranker, then variety, then parent passages, then spans.
import { describe, expect, it } from "@jest/globals";
import type { DocumentWrite, Embedder, Reranker } from "../../../src/core/plugin-api.js";
import { replyTokens } from "../../../src/core/search/reply-tokens.js";
import type { SearchReply, SearchRequest } from "../../../src/core/search/search-reply.js";
import { indexDocuments, type SampleDocument } from "../../support/indexed-documents.js";
import { letterEmbedder } from "../../support/letter-embedder.js";
import { memoryStore } from "../../support/memory-store.js";
import { searchOver, type SearchSetup } from "../../support/search-over-store.js";

const documents: SampleDocument[] = [
  { path: "a.md", chunks: ["Moss grows slowly.", "Moss needs shade and rain.", "Ferns like it there too."] },
  { path: "b.md", chunks: ["Moss needs shade and rain!", "A path of gravel."] },
  { path: "c.md", chunks: ["Moss on a roof holds water for weeks."] },
];

async function searching({
  writes,
  ...setup
}: SearchSetup & { writes?: readonly DocumentWrite[] } = {}): Promise<
  (request: SearchRequest) => Promise<SearchReply>
> {
  const store = memoryStore(writes ?? (await indexDocuments(documents, letterEmbedder())));
  const search = searchOver(store, setup);
  return (request) => search(request, new AbortController().signal);
}

/** Prefers long passages, and remembers what it was given. */
function longest(): Reranker & { readonly asked: string[][] } {
  const asked: string[][] = [];
  return {
    asked,
    rerank: (query, candidates) => {
      asked.push([query, ...candidates]);
      return Promise.resolve(candidates.map(({ length }) => length));
    },
    dispose: () => Promise.resolve(),
  };
}

const places = ({ results }: SearchReply): string[] =>
  results.map(({ path, start_line }) => `${path}:${start_line}`);

describe("the stages of a search", () => {
  it("give the reranker single passages, choose for variety by its scores, and grow and mark what is left", async () => {
    const reranker = longest();
    const search = await searching({ reranker: () => Promise.resolve(reranker) });
    const query = '"moss" rain -roses';
    const reranked = await search({ query });
    expect(reranker.asked[0]![0]).toBe("moss rain");
    expect(new Set(reranker.asked[0]!.slice(1))).toEqual(
      new Set([
        "Moss grows slowly.",
        "Moss needs shade and rain.",
        "Moss needs shade and rain!",
        "Moss on a roof holds water for weeks.",
      ]),
    );
    expect(places(reranked)).toEqual(["c.md:1", "a.md:2", "b.md:1", "a.md:1"]);

    const varied = await search({ query, mmr: true, mmr_lambda: 0.3 });
    expect(places(varied)[0]).toBe("c.md:1");
    expect(places(varied).at(-1)).toMatch(/^(a.md:2|b.md:1)$/u);
    expect(new Set(places(varied))).toEqual(new Set(places(reranked)));

    const grown = await search({ query, mmr: true, mmr_lambda: 0.3, parent_retriever: true, explain: true });
    for (const passages of reranker.asked) expect(passages).toEqual(reranker.asked[0]);
    expect(grown.results.map(({ path }) => path).sort()).toEqual(["a.md", "b.md", "c.md"]);
    const whole = grown.results.find(({ path }) => path === "a.md")!;
    expect(whole).toMatchObject({
      content: "Moss grows slowly.\nMoss needs shade and rain.\nFerns like it there too.",
      start_line: 1,
      end_line: 3,
    });
    expect(whole.expanded_from!.map(([start, end]) => whole.content.slice(start, end)).sort()).toEqual([
      "Moss grows slowly.",
      "Moss needs shade and rain.",
    ]);
    expect(whole.match_spans.map(([start, end]) => whole.content.slice(start, end))).toEqual([
      "Moss",
      "Moss",
      "rain",
    ]);
    expect(whole.explanation?.reranked).toBeDefined();
    expect(grown.results.find(({ path }) => path === "c.md")).not.toHaveProperty("expanded_from");
  });

  it("leave the reranker out when asked, and say so where there is none to ask", async () => {
    const reranker = longest();
    const [withOne, without] = [
      await searching({ reranker: () => Promise.resolve(reranker) }),
      await searching(),
    ];
    const plain = await without({ query: "moss rain" });
    expect(await withOne({ query: "moss rain", rerank: false })).toEqual(plain);
    expect(reranker.asked).toEqual([]);
    await withOne({ query: "moss rain", rerank: true });
    expect(reranker.asked).toHaveLength(1);
    const missing = await without({ query: "moss rain", rerank: true });
    expect(missing.results).toEqual(plain.results);
    expect(missing.notes.join()).toContain("No reranker is configured ([search].reranker");
  });

  it("follow the configuration, and a request before it", async () => {
    const query = "moss shade rain";
    const plain = await searching();
    const set = await searching({ options: { mmr: true, mmrLambda: 0.3, parentRetriever: true } });
    expect(await set({ query, mmr: false, parent_retriever: false })).toEqual(await plain({ query }));
    expect(await set({ query })).toEqual(
      await plain({ query, mmr: true, mmr_lambda: 0.3, parent_retriever: true }),
    );
    expect(await plain({ query, mmr_lambda: 0.3 })).toEqual(
      await plain({ query, mmr: true, mmr_lambda: 0.3 }),
    );
    expect(await plain({ query, mmr_lambda: 0.3 })).not.toEqual(await plain({ query }));
  });

  it.each([
    ["the best 50", 2, false, 50],
    ["the 20 that a reranker ordered", 2, true, 20],
    ["as many as are asked for", 55, false, 55],
    ["as many as are asked for, which a reranker ordered", 30, true, 30],
  ])("choose for variety among %s", async (_, limit, reranks, depth) => {
    // The rarer the word, the lower the rank.
    const ranked = Array.from({ length: 60 }, (__, at) => ({
      path: `${String(at).padStart(2, "0")}.md`,
      chunks: [`${"moss ".repeat(60 - at)}${"stone ".repeat(at)}`],
    }));
    // The last of the pool is unlike those before it; the next one would be more so.
    const vectors = ranked.map((__, at) => {
      const vector = new Float32Array(64);
      vector[0] = at < depth - 1 ? 1 : at === depth - 1 ? 0.6 : 0;
      vector[1] = Math.sqrt(1 - vector[0] ** 2);
      return vector;
    });
    const writes = (await indexDocuments(ranked)).map(({ document, chunks }, at) => ({
      document,
      chunks: chunks.map((chunk) => ({ ...chunk, vector: vectors[at]! })),
    }));
    const inOrder: Reranker = {
      rerank: (__, candidates) => Promise.resolve(candidates.map((___, at) => -at)),
      dispose: () => Promise.resolve(),
    };
    const search = await searching({
      writes,
      options: { vectorWeight: 0 },
      ...(reranks && { reranker: () => Promise.resolve(inOrder) }),
    });
    const { results } = await search({ query: "moss", limit, mmr_lambda: 0 });
    expect(results.slice(0, 2).map(({ path }) => path)).toEqual(["00.md", `${depth - 1}.md`]);
  });

  it.each([
    [{ mmr_lambda: 1.5 }, "mmr_lambda: 1.5 is not between 0 and 1"],
    [{ mmr_same_doc_penalty: -1 }, "mmr_same_doc_penalty: -1 is not between 0 and 1"],
    [{ mmr_lambda: NaN }, "mmr_lambda: NaN is not between 0 and 1"],
  ])("refuse %j", async (more, message) => {
    const refused = (await searching())({ query: "moss", ...more });
    await expect(refused).rejects.toMatchObject({ code: "KB_SEARCH_FILTER", message });
  });

  it("grow no passage over the budget of the reply and shorten none for it", async () => {
    const long = {
      path: "long.md",
      chunks: Array.from({ length: 40 }, (_, at) => `Part ${at}: ${"glacier ".repeat(80)}`),
    };
    const writes = await indexDocuments([long], letterEmbedder());
    // The tests' documents claim 10 tokens for each chunk: what fits is found by measuring the reply.
    for (const maxReplyTokens of [1000, 3000, 16_000]) {
      const search = await searching({ writes, options: { maxReplyTokens } });
      const reply = await search({ query: "glacier", limit: 1, parent_retriever: true });
      expect(replyTokens(reply)).toBeLessThanOrEqual(maxReplyTokens);
      expect(reply.notes).toEqual([]);
      if (maxReplyTokens > 1000) expect(reply.results[0]).toHaveProperty("expanded_from");
    }
  });

  it("take in nothing that the query excludes", async () => {
    const search = await searching();
    const { results } = await search({ query: "moss -ferns", parent_retriever: true });
    expect(results.map(({ content }) => content).join()).toContain("Moss grows slowly.\nMoss needs shade");
    expect(results.map(({ content }) => content).join()).not.toContain("Ferns");
  });
});

describe("each leg", () => {
  const texts: SampleDocument[] = [
    { path: "x/words.md", chunks: ["qx zj vk wb qq fx hh jj kk"] },
    { path: "x/meaning.md", chunks: ["gardens gardener gardening"] },
    { path: "x/other.md", chunks: ["moss and stone"] },
  ];
  const weighing = (fusionWeight: number): Embedder => ({ ...letterEmbedder(), fusionWeight });

  it("by words alone puts a hit first that is far by meaning", async () => {
    const search = await searching({
      writes: await indexDocuments(texts, letterEmbedder()),
      embedder: weighing(0.3),
    });
    const { results } = await search({ query: "gardemer gardemin zj", explain: true });
    expect(results[0]).toMatchObject({ path: "x/words.md", explanation: { lexical: { rank: 1 } } });
    expect(results[0]!.explanation!.vector?.rank).not.toBe(1);
  });

  it("by meaning alone puts a hit first that shares no word", async () => {
    const writes = await indexDocuments(texts, letterEmbedder());
    for (const [query, fusionWeight] of [
      ["gardemer gardemin", 0.3],
      ["gardemer gardemin zj", 0.8],
    ] as const) {
      const search = await searching({ writes, embedder: weighing(fusionWeight) });
      const { results } = await search({ query, explain: true });
      expect(results[0]).toMatchObject({ path: "x/meaning.md", explanation: { vector: { rank: 1 } } });
      expect(results[0]!.explanation).not.toHaveProperty("lexical");
    }
  });

  it("steps aside with a note where it has nothing to say", async () => {
    const search = await searching({ writes: await indexDocuments(texts, letterEmbedder()) });
    const byMeaning = await search({ query: "gardemer gardemin" });
    expect(byMeaning).toMatchObject({ mode: "vector" });
    expect(byMeaning.notes.join()).toContain("results come from meaning alone");
    const byWords = await search({ query: '"1" 苔' });
    expect(byWords).toMatchObject({ mode: "lexical", results: [] });
    expect(byWords.notes.join()).toContain("words alone");
  });
});
