import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { connectionGraph } from "../../../src/core/graph/connection-graph.js";
import type { GraphReply, GraphRequest } from "../../../src/core/graph/graph-reply.js";
import type { VectorStore } from "../../../src/core/plugin-api.js";
import { indexDocuments, type SampleDocument } from "../../support/indexed-documents.js";
import { letterEmbedder } from "../../support/letter-embedder.js";
import { storeFolder, type StoreFolder } from "../../support/store-in-folder.js";

const documents: SampleDocument[] = [
  {
    path: "garden/moss.md",
    title: "Moss",
    category: "Plants",
    chunks: ["# Moss\n\nMoss likes shade and rain.", "Moss grows on stone near the canal."],
  },
  { path: "garden/fern.md", title: "Fern", category: "Plants", chunks: ["Ferns like shade and rain too."] },
  {
    path: "garden/stub.md",
    title: "Stub",
    chunks: [{ content: "Moss likes shade and rain.", quality: 0.1 }],
  },
  { path: "town/canal.md", title: "Canal", chunks: ["A stone wall grows old near the canal."] },
  { path: "town/[old] wall.md", title: "Wall", chunks: ["The stone wall near the old canal."] },
  {
    path: "鉄道/新幹線.md",
    title: "新幹線",
    chunks: ["新幹線の時刻表と駅弁の案内。", "切符は窓口で買います。"],
  },
  { path: "鉄道/駅弁.md", title: "駅弁", chunks: ["駅弁は新幹線の時刻表に合わせて届きます。"] },
  { path: "鉄道/が.md", title: "が", chunks: ["線路の点検は夜に行います。"] },
  { path: "empty.md", title: "Empty", chunks: [] },
];

let folder: StoreFolder;
let store: VectorStore;
beforeAll(async () => {
  folder = await storeFolder();
  store = await folder.open();
  await store.reset({ dimensions: letterEmbedder().dimensions, meta: { built: "yes" } });
  await store.write({ put: await indexDocuments(documents, letterEmbedder()) });
});
afterAll(() => folder.remove());

function graph(
  request: GraphRequest,
  signal = new AbortController().signal,
  over = store,
): Promise<GraphReply> {
  return connectionGraph(
    {
      store: () => Promise.resolve(over),
      isServable: ({ path }) => path !== "garden/fern.md",
      notes: () => Promise.resolve(["first"]),
      qualityFilter: { enabled: true, threshold: 0.3 },
    },
    request,
    signal,
  );
}
const pathsOf = ({ nodes }: GraphReply): string[] => nodes.slice(1).map(({ path }) => path);

describe("the connection graph of a document", () => {
  it("shows each document by the passage that connects it, and the passage of the start that it is like", async () => {
    const reply = await graph({ start: "garden/moss.md", depth: 1, min_similarity: 0.5 });
    expect(reply.nodes[0]).toEqual({
      id: 0,
      depth: 0,
      path: "garden/moss.md",
      uri: "kb://doc/garden/moss.md",
      title: "Moss",
      start_line: 1,
      end_line: 1,
      snippet: "Moss likes shade and rain.",
    });
    const fern = reply.nodes.find(({ path }) => path === "garden/fern.md");
    expect(fern).toMatchObject({
      parent_id: 0,
      depth: 1,
      via: "meaning",
      snippet: "Ferns like shade and rain too.",
      parent_start_line: 1,
    });
    expect(fern).not.toHaveProperty("uri");
    expect(reply.nodes.find(({ title }) => title === "Canal")).toMatchObject({ parent_start_line: 2 });
    expect(reply).toMatchObject({
      start: "garden/moss.md",
      truncated: false,
      truncation: [],
      notes: ["first"],
    });
    expect(reply.settings).toEqual({
      depth: 1,
      fan_out: 5,
      min_similarity: 0.5,
      seed_strategy: "all_chunks",
      dedup_by_path: true,
      max_nodes: 100,
      max_seed_chunks: 32,
    });
  });

  it("compares what the embedder cannot read by shared words, and says so", async () => {
    const reply = await graph({ start: "鉄道/新幹線.md" });
    expect(reply.nodes[1]).toMatchObject({ path: "鉄道/駅弁.md", via: "words" });
    expect(reply.nodes[1]!.score).toBeGreaterThan(0.6);
    expect(pathsOf(reply)).not.toContain("鉄道/が.md");
    expect(reply.notes.join()).toMatch(/1 of 1 connection was found by shared words.*\[embedder\]/s);
  });

  it("hides near-empty passages, as search does", async () => {
    expect(pathsOf(await graph({ start: "garden/moss.md", min_similarity: 0 }))).not.toContain(
      "garden/stub.md",
    );
    // The start itself may be one: there is nothing else of it to follow.
    expect(pathsOf(await graph({ start: "garden/stub.md" }))).toContain("garden/moss.md");
  });

  it("applies filters before the nearest are taken; the start need not meet them", async () => {
    const inTown = await graph({
      start: "garden/moss.md",
      topic: "town",
      fan_out: 1,
      depth: 1,
      min_similarity: 0,
    });
    expect(pathsOf(inTown)).toEqual(["town/canal.md"]);
    const plants = await graph({ start: "town/canal.md", category: "plants", min_similarity: 0 });
    expect(new Set(pathsOf(plants))).toEqual(new Set(["garden/moss.md", "garden/fern.md"]));
  });

  it.each([
    ["town/[old] wall.md", ["town/canal.md"]],
    ["kb://doc/town/canal.md", ["town/[old] wall.md"]],
    ["TOWN/**", []],
  ])("does not enter what %s excludes", async (entry, left) => {
    const reply = await graph({
      start: "garden/moss.md",
      min_similarity: 0,
      topic: "town",
      exclude_paths: [entry],
    });
    expect(pathsOf(reply)).toEqual(left);
  });

  it("shows a document once for each passage where that is asked for", async () => {
    const request = { start: "town/canal.md", depth: 1, min_similarity: 0, category: "plants" };
    expect(pathsOf(await graph(request)).length).toBe(2);
    expect(pathsOf(await graph({ ...request, dedup_by_path: false })).length).toBe(3);
  });

  it("compares the start as one with its centroid", async () => {
    const reply = await graph({ start: "garden/moss.md", seed_strategy: "centroid", min_similarity: 0.3 });
    expect(reply.nodes.length).toBeGreaterThan(1);
    expect(reply.nodes.some((node) => "parent_start_line" in node)).toBe(false);
  });

  it("says what max_nodes and max_seed_chunks cut, and keeps the best", async () => {
    const whole = await graph({ start: "garden/moss.md", depth: 1, min_similarity: 0.3 });
    const cut = await graph({ start: "garden/moss.md", depth: 1, min_similarity: 0.3, max_nodes: 2 });
    expect(cut.nodes).toEqual(whole.nodes.slice(0, 2));
    const left = whole.nodes.length - 2;
    expect(cut).toMatchObject({ truncated: true, truncation: [{ limit: "max_nodes", left_out: left }] });
    expect(cut.truncation[0]!.message).toContain(`at least ${left} more`);
    const last = await graph({ start: "garden/moss.md", depth: 1, min_similarity: 0.3, max_nodes: left + 1 });
    expect(last.truncation[0]!.message).toContain("at least 1 more is connected");

    const seeds = await graph({ start: "garden/moss.md", max_seed_chunks: 1 });
    expect(seeds.truncation).toEqual([
      {
        limit: "max_seed_chunks",
        left_out: 1,
        message: "Of the 2 passages of the start one was followed; raise max_seed_chunks to follow more.",
      },
    ]);
    const full = await graph({ start: "garden/moss.md", depth: 2, max_nodes: 1 });
    expect(full.nodes).toHaveLength(1);
    expect(full.truncation[0]).toEqual({
      limit: "max_nodes",
      message: expect.stringMatching(/^The walk ended at 1 node; .* not looked for/u),
    });
  });

  it("says why there is nothing but the start", async () => {
    const far = await graph({ start: "garden/moss.md", min_similarity: 1 });
    expect(far.notes[1]).toMatch(/nearest passage is at 0\.\d+: lower min_similarity/u);
    expect((await graph({ start: "empty.md" })).notes[1]).toContain("has no text in the index");
    expect((await graph({ start: "鉄道/が.md", topic: "town" })).notes[1]).toContain("No other document");
  });

  it("is the same whatever the history of the index", async () => {
    const other = await storeFolder();
    try {
      const aged = await other.open();
      await aged.reset({ dimensions: letterEmbedder().dimensions, meta: { built: "yes" } });
      const writes = await indexDocuments(documents, letterEmbedder());
      for (const write of [...writes].reverse()) await aged.write({ put: [write] });
      await aged.write({ delete: ["town/canal.md"] });
      await aged.write({ put: writes.filter(({ document }) => document.path === "town/canal.md") });
      for (const start of ["garden/moss.md", "鉄道/新幹線.md"]) {
        const request = { start, depth: 3, min_similarity: 0.2 };
        expect(await graph(request, new AbortController().signal, aged)).toEqual(await graph(request));
      }
    } finally {
      await other.remove();
    }
  });

  it("ends when it is cancelled", async () => {
    const controller = new AbortController();
    const noticing = new Proxy(store, {
      get(target, name) {
        if (name === "vectorSearch") controller.abort();
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    const walking = graph({ start: "garden/moss.md" }, controller.signal, noticing);
    await expect(walking).rejects.toMatchObject({ code: "KB_CANCELLED" });
  });
});

describe("the start of a connection graph", () => {
  it("is a path or a kb://doc/ URI, in whatever Unicode form, with ./ or without", async () => {
    expect((await graph({ start: "./garden/moss.md" })).start).toBe("garden/moss.md");
    expect((await graph({ start: "kb://doc/garden/moss.md" })).start).toBe("garden/moss.md");
    expect((await graph({ start: "鉄道/が.md".normalize("NFD") })).start).toBe("鉄道/が.md");
  });

  it.each([
    ["Garden/Moss.md", "garden/moss.md"],
    ["notes/garden/moss.md", "garden/moss.md"],
    ["moss.md", "garden/moss.md"],
    ["garden/moss", "garden/moss.md"],
    ["garden/mos.md", "garden/moss.md"],
    ["other/ferm.md", "garden/fern.md"],
    ["駅弁", "鉄道/駅弁.md"],
  ])("that is %s, which is not in the index, is answered with %s", async (start, near) => {
    await expect(graph({ start })).rejects.toMatchObject({
      code: "KB_GRAPH_START",
      hint: `Did you mean "${near}"?`,
    });
  });

  it.each([
    [{ start: "zzzzzzzzzzzzzzzz.org" }, "KB_GRAPH_START", "is not in the index"],
    [{ start: "kb://topic/garden" }, "KB_GRAPH_START", "names a topic"],
    [{ start: "../outside.md" }, "KB_GRAPH_START", ".."],
    [{ start: "/etc/passwd" }, "KB_GRAPH_START", "absolute"],
    [{ start: "kb://doc/%zz" }, "KB_GRAPH_START", "percent-encoding"],
    [{ start: "garden/moss.md", depth: 4 }, "KB_GRAPH_OPTION", "depth: 4 is not a whole number from 1 to 3"],
    [{ start: "garden/moss.md", fan_out: 0.5 }, "KB_GRAPH_OPTION", "from 1 to 20"],
    [{ start: "garden/moss.md", max_nodes: 2001 }, "KB_GRAPH_OPTION", "from 1 to 2000"],
    [{ start: "garden/moss.md", max_seed_chunks: 1001 }, "KB_GRAPH_OPTION", "from 1 to 1000"],
    [{ start: "garden/moss.md", min_similarity: NaN }, "KB_GRAPH_OPTION", "min_similarity"],
    [{ start: "garden/moss.md", seed_strategy: "mean" as never }, "KB_GRAPH_OPTION", "all_chunks, centroid"],
    [{ start: "garden/moss.md", exclude_paths: ["!a"] }, "KB_SEARCH_FILTER", "exclude_paths"],
    [{ start: "garden/moss.md", exclude_paths: [" "] }, "KB_SEARCH_FILTER", "is blank"],
    [
      { start: "garden/moss.md", exclude_paths: Array<string>(65).fill("a") },
      "KB_SEARCH_FILTER",
      "at most 64",
    ],
    [
      { start: "garden/moss.md", topic: "a/b/c" },
      "KB_SEARCH_FILTER",
      'topic: "a/b/c" is deeper than two directories; use "a/b"',
    ],
  ])("and its settings are refused: %j", async (request, code, message) => {
    const refused = graph(request);
    await expect(refused).rejects.toMatchObject({ code });
    await expect(refused).rejects.toThrow(message);
  });
});
