import { describe, expect, it } from "@jest/globals";
import { rerank } from "../../../src/core/search/rerank.js";

const ranking = ["a", "b", "c", "d"].map((path, at) => ({ path, position: 0, score: 1 - at / 10 }));
const { signal } = new AbortController();

describe("a reranker", () => {
  it("orders the best ones only, and the others follow as they were", async () => {
    const asked: string[] = [];
    const reranker = {
      rerank: (_query: string, texts: readonly string[]) => {
        asked.push(...texts);
        return Promise.resolve(texts.map((_, at) => at));
      },
      dispose: () => Promise.resolve(),
    };
    const chunks = ranking.map((key) => ({ ...key, content: key.path.toUpperCase() }));
    const get = () => Promise.resolve(reranker);
    const ordered = await rerank(get, "q", { ranking, chunks, depth: 2 }, signal, [], undefined);
    expect(asked).toEqual(["A", "B"]);
    expect(ordered.map(({ path }) => path)).toEqual(["b", "a", "c", "d"]);
    // One that has left the index meanwhile is not asked about, and none is there twice.
    const without = await rerank(
      get,
      "q",
      { ranking, chunks: chunks.filter(({ path }) => path !== "a"), depth: 2 },
      signal,
      [],
      undefined,
    );
    expect(without.map(({ path }) => path)).toEqual(["c", "b", "d"]);
  });
});
