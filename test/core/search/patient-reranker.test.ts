import { describe, expect, it } from "@jest/globals";
import { KbError } from "../../../src/core/errors.js";
import { lazy } from "../../../src/core/lazy.js";
import type { Reranker } from "../../../src/core/plugin-api.js";
import { createPatientReranker, type RerankerPatience } from "../../../src/core/search/patient-reranker.js";
import { indexDocuments } from "../../support/indexed-documents.js";
import { letterEmbedder } from "../../support/letter-embedder.js";
import { memoryStore } from "../../support/memory-store.js";
import { searchOver } from "../../support/search-over-store.js";

const { signal } = new AbortController();
const quick: RerankerPatience = { makingMs: 20, rerankMs: 20, restMs: 1_000_000 };
const hanging = (): Promise<never> => new Promise(() => undefined);

/** A reranker that answers with what it is told to. */
function scripted(first: () => Promise<number[]>) {
  const state = { answer: first, asked: 0 };
  const made: Reranker = {
    rerank: () => {
      state.asked++;
      return state.answer();
    },
    dispose: () => Promise.resolve(),
  };
  return { state, part: lazy(() => made) };
}

describe("a patient reranker", () => {
  it.each([
    ["is made", lazy<Reranker>(hanging), "was not ready within 1 s"],
    ["is asked", scripted(hanging).part, "gave no scores within 1 s"],
  ])("leaves the search its own order where it hangs when it %s", async (...given) => {
    const [, part, words] = given;
    const store = memoryStore(
      await indexDocuments([{ path: "a.md", chunks: ["Moss grows slowly."] }], letterEmbedder()),
    );
    const search = searchOver(store, { reranker: createPatientReranker(part, quick) });
    for (let round = 0; round < 3; round++) {
      const { results, notes } = await search({ query: "moss" }, signal);
      expect(results.map(({ path }) => path)).toEqual(["a.md"]);
      expect(notes).toEqual([
        expect.stringMatching(/^The reranker failed \(KB_RERANK_FAILED: .*order of the search itself/u),
      ]);
      expect(notes[0]).toContain(words);
    }
  });

  it("is asked once while its lateness rests, and again once the late scores have come", async () => {
    let resolve!: (scores: number[]) => void;
    const late = new Promise<number[]>((done) => (resolve = done));
    const { state, part } = scripted(() => late);
    const reranker = createPatientReranker(part, quick);
    const rerank = async (): Promise<number[]> => (await reranker()).rerank("moss", ["a"], signal);
    await expect(rerank()).rejects.toMatchObject({ code: "KB_RERANK_FAILED" });
    await expect(rerank()).rejects.toMatchObject({ code: "KB_RERANK_FAILED" });
    expect(state.asked).toBe(1);
    resolve([1]);
    await late;
    await new Promise(setImmediate);
    expect(await rerank()).toEqual([1]);
  });

  it("rests after what every search would meet, not after what one met, nor after a cancellation", async () => {
    const { state, part } = scripted(() => Promise.reject(new Error("a bad text")));
    const reranker = createPatientReranker(part);
    const rerank = async (by = signal): Promise<number[]> => (await reranker()).rerank("moss", ["a"], by);
    await expect(rerank()).rejects.toThrow("a bad text");
    state.answer = hanging;
    await expect(rerank(AbortSignal.abort())).rejects.toMatchObject({ code: "KB_CANCELLED" });
    state.answer = () => Promise.reject(new KbError("KB_MODEL_MISSING", "It is missing"));
    await expect(rerank()).rejects.toMatchObject({ code: "KB_MODEL_MISSING" });
    state.answer = () => Promise.resolve([1]);
    await expect(rerank()).rejects.toMatchObject({ code: "KB_MODEL_MISSING" });
    expect(state.asked).toBe(3);
  });
});
