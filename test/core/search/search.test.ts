import { describe, expect, it } from "@jest/globals";
import { KbError } from "../../../src/core/errors.js";
import type { Embedder, Reranker, VectorStore } from "../../../src/core/plugin-api.js";
import type { SearchReply, SearchRequest } from "../../../src/core/search/search-reply.js";
import { indexDocuments, type SampleDocument } from "../../support/indexed-documents.js";
import { letterEmbedder } from "../../support/letter-embedder.js";
import { memoryStore } from "../../support/memory-store.js";
import { searchOver, type SearchSetup } from "../../support/search-over-store.js";

const documents: SampleDocument[] = [
  {
    path: "ops/backup.md",
    title: "Backups",
    category: "Runbook",
    date: "2026-03-01",
    tags: ["Storage", "nightly"],
    chunks: ["Backups run nightly at two.", "To restore a snapshot, stop the database first."],
  },
  { path: "ops/deploy.md", title: "Deployment", chunks: ["Deploy with the pipeline.", "Roll back by tag."] },
  { path: "ja/サーバー.md", title: "サーバー", chunks: ["東海道新幹線のサーバーを再起動する手順。"] },
  { path: "misc/todo.md", title: "Todo", chunks: [{ content: "restore todo", quality: 0.1 }] },
];

async function searching({ store, ...setup }: SearchSetup & { store?: VectorStore } = {}): Promise<
  (request: SearchRequest, signal?: AbortSignal) => Promise<SearchReply>
> {
  const search = searchOver(store ?? memoryStore(await indexDocuments(documents, letterEmbedder())), {
    isServable: ({ path }) => path !== "misc/todo.md",
    ...setup,
    options: { qualityFilter: { enabled: true, threshold: 0.3 }, ...setup.options },
  });
  return (request, signal = new AbortController().signal) => search(request, signal);
}

describe("search", () => {
  it("finds a passage by words and by meaning and shows where it is", async () => {
    const search = await searching();
    const reply = await search({ query: "How do I restore snapshots?" });
    expect(reply.mode).toBe("hybrid");
    expect(reply.results[0]).toEqual({
      score: 1,
      path: "ops/backup.md",
      uri: "kb://doc/ops/backup.md",
      title: "Backups",
      heading_path: [],
      category: "Runbook",
      topic: "ops",
      date: "2026-03-01",
      tags: ["Storage", "nightly"],
      content: "To restore a snapshot, stop the database first.",
      start_line: 2,
      end_line: 2,
      match_spans: [
        [3, 10],
        [13, 21],
      ],
    });
    expect(reply.confidence).toBeGreaterThan(0.5);
    expect(reply.low_confidence).toBe(false);
    expect(reply.filter_applied).toEqual({ min_quality: 0.3 });
    expect(reply.notes).toEqual([]);
  });

  it("has little confidence where the knowledge base is silent", async () => {
    const search = await searching();
    const reply = await search({ query: "quarterly revenue forecast" });
    expect(reply.confidence).toBeLessThan(0.5);
    expect(reply.low_confidence).toBe(true);
    expect(reply.mode).toBe("vector");
    expect(reply.notes.join()).toContain("None of the words asked for");
    expect((await search({ query: "quarterly revenue forecast", min_confidence: 0 })).low_confidence).toBe(
      false,
    );
  });

  it("searches by words and says why when the embedder cannot read the query", async () => {
    const search = await searching();
    const reply = await search({ query: "新幹線" });
    expect(reply.mode).toBe("lexical");
    expect(reply.results.map(({ path }) => path)).toEqual(["ja/サーバー.md"]);
    expect(reply.results[0]!.content.slice(...reply.results[0]!.match_spans[0]!)).toBe("新幹線");
    expect(reply.notes.join()).toMatch(/\[embedder\].*cannot read this query, for its language/s);
  });

  it("searches by words and says why when the embedder fails", async () => {
    const failing: Embedder = {
      ...letterEmbedder(),
      embedQuery: () => Promise.reject(new KbError("KB_EMBED_FAILED", "the model server answered 503")),
    };
    const fromEmbedding = await (await searching({ embedder: failing }))({ query: "snapshot" });
    expect(fromEmbedding.mode).toBe("lexical");
    expect(fromEmbedding.notes.join()).toContain("KB_EMBED_FAILED: the model server answered 503");

    const broken = (): Promise<Embedder> => Promise.reject(new Error("ENOENT /home/me/model.onnx"));
    const fromLoading = await (await searching({ embedder: broken }))({ query: "snapshot" });
    expect(fromLoading.results[0]!.path).toBe("ops/backup.md");
    expect(fromLoading.notes.join()).toContain("The embedder failed, so results come from words alone");
    expect(fromLoading.notes.join()).not.toContain("/home/me");
  });

  it("says that no passage has a vector", async () => {
    const search = await searching({ store: memoryStore(await indexDocuments(documents)) });
    const reply = await search({ query: "snapshot" });
    expect(reply.mode).toBe("lexical");
    expect(reply.notes).toEqual(["No passage has a vector, so results come from words alone."]);
  });

  it("does not say that no passage has a vector where only the filters left none", async () => {
    const search = await searching();
    const note = "No passage that passes the filters has a vector, so only words could be searched.";
    // The letter embedder declines Japanese.
    const byWords = await search({ query: "snapshot サーバー", path_globs: ["ja/**"] });
    expect(byWords.results.map(({ path }) => path)).toEqual(["ja/サーバー.md"]);
    expect(byWords.notes).toEqual([note]);
  });

  it("says nothing of vectors where nothing at all was found, but why the embedder did not help", async () => {
    const search = await searching();
    expect((await search({ query: "snapshot", path_globs: ["ja/**"] })).notes).toEqual([]);
    expect((await search({ query: '"no such phrase at all"' })).notes).toEqual([
      'No passage holds the phrase "no such phrase at all".',
    ]);
    expect((await search({ query: "snapshot", category: "runbok" })).notes).toEqual([
      'No document has the category "runbok"; did you mean "Runbook"?',
    ]);
    expect((await search({ query: '"盆栽"' })).notes).toEqual([
      expect.stringContaining("cannot read this query"),
      'No passage holds the phrase "盆栽".',
    ]);
    const failing = await searching({ embedder: () => Promise.reject(new Error("no model")) });
    expect((await failing({ query: "snapshot", topic: "opps" })).notes).toEqual([
      expect.stringContaining("The embedder failed"),
      'No document has the topic "opps"; did you mean "ops"?',
    ]);
  });

  it("shows a document that cannot be read as a resource without a uri", async () => {
    const search = await searching();
    const reply = await search({ query: "todo", include_low_quality: true });
    expect(reply.results[0]!.path).toBe("misc/todo.md");
    expect(reply.results[0]).not.toHaveProperty("uri");
  });

  it("applies filters before the best are taken", async () => {
    const crowd = Array.from({ length: 150 }, (_, index) => ({
      path: `crowd/${index}.md`,
      chunks: ["restore restore restore snapshot"],
    }));
    const store = memoryStore(await indexDocuments([...crowd, ...documents], letterEmbedder()));
    const search = await searching({ store });
    const reply = await search({ query: "restore snapshot", category: "runbook" });
    expect(reply.results.map(({ content }) => content)).toEqual([
      "To restore a snapshot, stop the database first.",
      "Backups run nightly at two.",
    ]);
    expect(reply.filter_applied).toEqual({ category: "runbook", min_quality: 0.3 });
  });

  it("gives the same order whatever the order of writing", async () => {
    const twins = Array.from({ length: 130 }, (_, index) => ({
      path: `${String(index).padStart(3, "0")}.md`,
      title: "Same",
      chunks: ["The same passage about glaciers."],
    }));
    const written = await indexDocuments(twins, letterEmbedder());
    const forwards = await searching({ store: memoryStore(written) });
    const backwards = await searching({ store: memoryStore([...written].reverse()) });
    const request = { query: "glaciers", limit: 20 };
    const reply = await forwards(request);
    expect(reply.results.map(({ path }) => path)).toEqual(twins.slice(0, 20).map(({ path }) => path));
    expect(await backwards(request)).toEqual(reply);
  });

  it("runs one leg only where the other weighs nothing", async () => {
    const options = {
      minConfidence: 0.5,
      limit: 5,
      qualityFilter: { enabled: false, threshold: 0 },
      maxReplyTokens: 16_000,
    };
    const words = await (
      await searching({ options: { ...options, vectorWeight: 0 } })
    )({ query: "snapshot" });
    expect(words).toMatchObject({ mode: "lexical", notes: [] });
    const meaning = await (
      await searching({ options: { ...options, vectorWeight: 1 } })
    )({ query: "snapshot" });
    expect(meaning).toMatchObject({ mode: "vector", notes: [] });
  });

  it("lets a reranker decide the order, and goes on without one that fails", async () => {
    const byLength: Reranker = {
      rerank: (_query, candidates) => Promise.resolve(candidates.map((text) => -text.length)),
      dispose: () => Promise.resolve(),
    };
    const reranked = await (
      await searching({ reranker: () => Promise.resolve(byLength) })
    )({ query: "backups deploy roll" });
    const lengths = reranked.results.map(({ content }) => content.length);
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
    expect(reranked.results[0]!.score).toBe(1);

    const failing = (): Promise<Reranker> => Promise.reject(new Error("no model"));
    const plain = await (await searching())({ query: "backups deploy" });
    const fallback = await (await searching({ reranker: failing }))({ query: "backups deploy" });
    expect(fallback.results).toEqual(plain.results);
    expect(fallback.notes.join()).toContain("The reranker failed");
  });

  it.each([[[0.9, 0.5, NaN]], [[0.9]], [[]], [["1", "2", "3"]], [undefined]])(
    "goes on without a reranker that answers %j for three passages",
    async (scores) => {
      const broken: Reranker = {
        rerank: () => Promise.resolve(scores as number[]),
        dispose: () => Promise.resolve(),
      };
      const query = "backups deploy";
      const plain = await (await searching())({ query });
      const reply = await (await searching({ reranker: () => Promise.resolve(broken) }))({ query });
      expect(reply.results).toEqual(plain.results);
      expect(reply.notes.join()).toContain("The reranker failed");
    },
  );

  it("explains a hit by its place in each leg, only when asked", async () => {
    const search = await searching();
    const query = "backups deploy roll";
    const plain = await search({ query });
    const explained = await search({ query, explain: true });
    expect(explained.results.map((hit) => ({ ...hit, explanation: undefined }))).toEqual(plain.results);
    expect(plain.results.some((hit) => "explanation" in hit)).toBe(false);
    for (const { score, explanation } of explained.results) {
      expect(explanation?.fused).toBe(score);
      expect(explanation).not.toHaveProperty("reranked");
    }
    const ranks = explained.results.flatMap(({ explanation }) => explanation?.lexical?.rank ?? []);
    expect(ranks).toContain(1);
    expect(new Set(ranks).size).toBe(ranks.length);
  });

  it("passes on what the reader should know about the index", async () => {
    const search = await searching({ notes: () => ["Indexing is under way."] });
    expect((await search({ query: "snapshot" })).notes).toEqual(["Indexing is under way."]);
  });

  it("stays within the reply budget", async () => {
    const long = Array.from({ length: 20 }, (_, index) => ({
      path: `${index}.md`,
      chunks: ["glacier ".repeat(300)],
    }));
    const search = await searching({ store: memoryStore(await indexDocuments(long, letterEmbedder())) });
    const reply = await search({ query: "glacier", limit: 20 });
    expect(JSON.stringify(reply).length / 2).toBeLessThan(16_000);
    expect(reply.notes.join()).toContain("passages were shortened");
  });

  it("ends with an error when cancelled", async () => {
    const search = await searching();
    await expect(search({ query: "snapshot" }, AbortSignal.abort())).rejects.toMatchObject({
      code: "KB_CANCELLED",
    });
  });

  it("ends with the same error when the embedder notices first, in its own words", async () => {
    const controller = new AbortController();
    const waiting: Embedder = {
      ...letterEmbedder(),
      embedQuery: () => {
        controller.abort();
        return Promise.reject(new DOMException("This operation was aborted", "AbortError"));
      },
    };
    const search = await searching({ embedder: waiting });
    await expect(search({ query: "snapshot" }, controller.signal)).rejects.toMatchObject({
      code: "KB_CANCELLED",
    });
  });

  it("searches by words after all if the only leg that weighs anything cannot read the query", async () => {
    const options = {
      minConfidence: 0.5,
      vectorWeight: 1,
      limit: 5,
      qualityFilter: { enabled: false, threshold: 0 },
      maxReplyTokens: 16_000,
    };
    const reply = await (await searching({ options }))({ query: "新幹線" });
    expect(reply).toMatchObject({ mode: "lexical", results: [{ path: "ja/サーバー.md" }] });
  });

  it.each([
    [{ query: "snapshot", limit: 0 }, "KB_SEARCH_FILTER", "limit: 0 is not a whole number from 1 to 100"],
    [{ query: "snapshot", limit: 101 }, "KB_SEARCH_FILTER", "limit: 101 is not"],
    [{ query: "snapshot", min_confidence: 2 }, "KB_SEARCH_FILTER", "min_confidence: 2 is not"],
    [{ query: "?" }, "KB_SEARCH_QUERY", "holds no word"],
    [{ query: "snapshot", date_from: "soon" }, "KB_SEARCH_FILTER", "date_from"],
  ])("refuses %j", async (request, code, message) => {
    const search = await searching();
    const refused = search(request);
    await expect(refused).rejects.toMatchObject({ code });
    await expect(refused).rejects.toThrow(message);
  });
});
