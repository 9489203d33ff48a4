// How many passages a neighbour's search looks at: the rounds, and what is said where they were not enough.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { connectionGraph } from "../../../src/core/graph/connection-graph.js";
import type { GraphReply, GraphRequest } from "../../../src/core/graph/graph-reply.js";
import type { CandidateLimits } from "../../../src/core/graph/neighbours.js";
import type { VectorStore } from "../../../src/core/plugin-api.js";
import { indexDocuments } from "../../support/indexed-documents.js";
import { letterEmbedder } from "../../support/letter-embedder.js";
import { storeFolder, type StoreFolder } from "../../support/store-in-folder.js";

/** Digits are nothing to the embedder: all of them are alike. */
const alike = (text: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${text} ${index}`);

/** Passages of one subject, no two alike: each ends in letters of its own. */
const akin = (text: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => {
    const [first, second] = [Math.floor(index / 12), index % 12].map((at) => String.fromCharCode(97 + at));
    return `${text} ${first}${second}${first}`;
  });

let folder: StoreFolder;
let store: VectorStore;
beforeAll(async () => {
  folder = await storeFolder();
  store = await folder.open();
  await store.reset({ dimensions: letterEmbedder().dimensions, meta: { built: "yes" } });
  const documents = [
    { path: "long.md", title: "Moss", category: "one", chunks: akin("Moss likes shade and rain.", 130) },
    { path: "near.md", title: "Stone", category: "one", chunks: ["Old walls are a shady place."] },
    { path: "short.md", title: "Fern", category: "two", chunks: ["Ferns grow in the wood."] },
    { path: "many.md", title: "Fern", category: "two", chunks: alike("Ferns grow in the wood.", 150) },
    { path: "other.md", title: "Fern", category: "two", chunks: ["Ferns grow in a dark wood."] },
    { path: "Twin.md", title: "Twin", category: "three", chunks: alike("Twins of one name.", 120) },
    { path: "twin.md", title: "Twin", category: "three", chunks: ["Twins of one name."] },
  ];
  await store.write({ put: await indexDocuments(documents, letterEmbedder()) });
});
afterAll(() => folder.remove());

function graph(request: GraphRequest, candidates?: CandidateLimits): Promise<GraphReply> {
  return connectionGraph(
    {
      store: () => Promise.resolve(store),
      isServable: () => true,
      notes: () => Promise.resolve([]),
      qualityFilter: { enabled: true, threshold: 0.3 },
      ...(candidates !== undefined && { candidates }),
    },
    { depth: 1, ...request },
    new AbortController().signal,
  );
}
const pathsOf = ({ nodes }: GraphReply): string[] => nodes.map(({ path }) => path);

describe("the candidates for neighbours", () => {
  it("go on behind a document that fills the first round", async () => {
    const reply = await graph({ start: "short.md", category: "two" });
    expect(pathsOf(reply)).toEqual(["short.md", "many.md", "other.md"]);
    expect(reply.truncated).toBe(false);
  });

  it("are not filled by the start's own passages: the nearest that was too far is named", async () => {
    const far = await graph({ start: "long.md", category: "one", min_similarity: 0.99 });
    expect(far.notes).toEqual([expect.stringMatching(/the nearest passage is at 0\.\d+: lower/u)]);
    const at = Number(/is at (0\.\d+)/u.exec(far.notes[0]!)![1]);
    const found = await graph({ start: "long.md", category: "one", min_similarity: at });
    expect(found.nodes.slice(1)).toMatchObject([{ path: "near.md", score: at }]);
  });

  it("hold a document whose path differs from the start's in case only", async () => {
    expect(pathsOf(await graph({ start: "Twin.md", category: "three" }))).toEqual(["Twin.md", "twin.md"]);
  });

  it("end somewhere, which is said", async () => {
    const request = { start: "short.md", category: "two" };
    const reply = await graph(request, { first: 10, most: 100 });
    expect(pathsOf(reply)).toEqual(["short.md", "many.md"]);
    expect(reply).toMatchObject({
      truncated: true,
      truncation: [{ limit: "candidates", message: expect.stringContaining("raise min_similarity") }],
    });
    expect(await graph(request, { first: 10, most: 1000 })).toEqual(await graph(request));
  });
});
