import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { connectionGraph } from "../../../src/core/graph/connection-graph.js";
import type { GraphReply } from "../../../src/core/graph/graph-reply.js";
import type { VectorStore } from "../../../src/core/plugin-api.js";
import { indexDocuments } from "../../support/indexed-documents.js";
import { letterEmbedder } from "../../support/letter-embedder.js";
import { storeFolder, type StoreFolder } from "../../support/store-in-folder.js";

const others = [
  "!keep.md",
  "README.md",
  "a [draft.md",
  "a1.md",
  "a[1].md",
  "a{x.md",
  "b[z-a].md",
  "deep/README.md",
  "deep/lone.md",
  "deep/が.md",
  "guide/setup.md",
  "ops/a, b.md",
];

let folder: StoreFolder;
let store: VectorStore;
beforeAll(async () => {
  folder = await storeFolder();
  store = await folder.open();
  await store.reset({ dimensions: letterEmbedder().dimensions, meta: { built: "yes" } });
  const documents = ["start.md", ...others].map((path) => ({
    path,
    title: "Moss",
    chunks: ["Moss likes shade."],
  }));
  // Its passages are none, its path is one.
  documents.push({ path: "empty[1].md", title: "Empty", chunks: [] });
  documents.push({ path: "empty1.md", title: "Moss", chunks: ["Moss likes shade."] });
  await store.write({ put: await indexDocuments(documents, letterEmbedder()) });
});
afterAll(() => folder.remove());

function without(...entries: string[]): Promise<GraphReply> {
  return connectionGraph(
    {
      store: () => Promise.resolve(store),
      isServable: () => true,
      notes: () => Promise.resolve([]),
      qualityFilter: { enabled: false, threshold: 0 },
    },
    { start: "start.md", depth: 1, fan_out: 20, min_similarity: 0.9, exclude_paths: entries },
    new AbortController().signal,
  );
}

function excludedBy({ nodes }: GraphReply): string[] {
  const shown = new Set(nodes.map(({ path }) => path));
  return [...others, "empty1.md"].filter((path) => !shown.has(path));
}

describe("exclude_paths", () => {
  it.each([
    ["a [draft.md", ["a [draft.md"]],
    ["a{x.md", ["a{x.md"]],
    ["b[z-a].md", ["b[z-a].md"]],
    ["a[1].md", ["a[1].md"]],
    ["A[1].MD", ["a[1].md"]],
    ["README.md", ["README.md"]],
    ["./README.md", ["README.md"]],
    ["/deep/lone.md", ["deep/lone.md"]],
    ["!keep.md", ["!keep.md"]],
    ["ops/a, b.md", ["ops/a, b.md"]],
    ["deep/が.md".normalize("NFD"), ["deep/が.md"]],
    ["kb://doc/a%5B1%5D.md", ["a[1].md"]],
    ["empty[1].md", []],
  ])("takes %s, an indexed path, for that path alone", async (entry, excluded) => {
    const reply = await without(entry);
    expect(excludedBy(reply)).toEqual(excluded);
    expect(reply.notes).toEqual([]);
    expect(reply.settings.exclude_paths).toEqual([entry]);
  });

  it.each([
    ["lone.md", ["deep/lone.md"]],
    ["a[0-9].md", ["a1.md"]],
    ["{ops,guide}/**", ["guide/setup.md", "ops/a, b.md"]],
    ["ops/a, *.md", ["ops/a, b.md"]],
    ["deep/", ["deep/README.md", "deep/lone.md", "deep/が.md"]],
    [String.raw`\!k*`, ["!keep.md"]],
  ])("takes %s, which is none, for a glob", async (entry, excluded) => {
    const reply = await without(entry);
    expect(excludedBy(reply)).toEqual(excluded);
    expect(reply.notes).toEqual([]);
  });

  it.each(["guide/**, ops/**", "a[", "x{y.md", "deep", "deep/none.md", "kb://doc/none.md"])(
    "says that %s excludes nothing",
    async (entry) => {
      const reply = await without("a1.md", entry);
      expect(excludedBy(reply)).toEqual(["a1.md"]);
      expect(reply.notes).toEqual([
        expect.stringContaining(
          `No indexed document is excluded by ${JSON.stringify(entry)} in exclude_paths`,
        ),
      ]);
    },
  );

  it("names the first of many entries that exclude nothing", async () => {
    const { notes } = await without(...Array.from({ length: 5 }, (_, index) => `none-${index}.md`));
    expect(notes.join()).toContain('"none-0.md", "none-1.md", "none-2.md" and 2 more in exclude_paths');
  });

  it("refuses a leading ! with what to write instead, and what can be no entry", async () => {
    await expect(without("!ops/**")).rejects.toMatchObject({
      code: "KB_SEARCH_FILTER",
      message: 'exclude_paths: "!ops/**" begins with "!"',
      hint: expect.stringContaining('leave the "!" out'),
    });
    await expect(without("kb://doc/../a.md")).rejects.toMatchObject({ code: "KB_SEARCH_FILTER" });
    await expect(without("kb://topic/ops")).rejects.toThrow("names a topic; use a glob");
    await expect(without("x".repeat(1025))).rejects.toThrow("1025 bytes long");
  });
});
