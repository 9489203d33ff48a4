import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { connectionGraph } from "../../../src/core/graph/connection-graph.js";
import { tellingWords } from "../../../src/core/graph/telling-words.js";
import type { VectorStore } from "../../../src/core/plugin-api.js";
import { indexDocuments } from "../../support/indexed-documents.js";
import { storeFolder, type StoreFolder } from "../../support/store-in-folder.js";

const cluster =
  "The pod ended with code 137 on 2026-01-02 at 12:30, memory limit 1,024. Run 3.3.1 with E0382 and v2.";
const stew =
  "Stew of 137 beans, 2026-01-02, ready at 12:30 after 1,024 turns of 3.3.1 spoons. Soak and simmer.";
const texts = [
  cluster,
  stew,
  "The memory limit of a pod stands in its manifest.",
  "E0382 is gone in v2, says the log.",
  "Simmer beans, never boil them.",
  ...Array.from({ length: 30 }, (_, at) => `Filler ${"abcdefghijklmnopqrstuvwxyzäöüß"[at]}filler.`),
];

let folder: StoreFolder;
let store: VectorStore;
beforeAll(async () => {
  folder = await storeFolder();
  store = await folder.open();
  await store.reset({ dimensions: 4, meta: { built: "yes" } });
  const documents = texts.map((content, at) => ({ path: `${at}.md`, title: "", chunks: [content] }));
  await store.write({ put: await indexDocuments(documents) });
});
afterAll(() => folder.remove());

describe("the telling words of passages", () => {
  const termsOf = async (content: string): Promise<readonly string[]> => {
    const words = await tellingWords(store, [{ title: "", headingPath: [], content }], texts.length);
    return (words?.query.clauses.flatMap(({ terms }) => terms) ?? []).toSorted();
  };

  it("hold no numbers, dates, times or versions, but names that have a letter", async () => {
    expect(await termsOf(cluster)).toEqual(["e0382", "limit", "memori", "pod", "v2"]);
    expect(await termsOf("137, 1,024 and 2026-01-02")).toEqual([]);
  });

  it("connect no notes that share numbers only", async () => {
    const { nodes } = await connectionGraph(
      {
        store: () => Promise.resolve(store),
        isServable: () => true,
        notes: () => Promise.resolve([]),
        qualityFilter: { enabled: false, threshold: 0 },
      },
      { start: "0.md", depth: 1, fan_out: 20, min_similarity: 0 },
      new AbortController().signal,
    );
    expect(nodes.slice(1).map(({ path, via }) => [path, via])).toEqual([
      ["2.md", "words"],
      ["3.md", "words"],
    ]);
  });
});
