import { describe, expect, it } from "@jest/globals";
import { storeContract } from "../../src/testing/index.js";
import { storeInMemory, type Fault } from "../support/store-in-memory.js";

/** Runs the contract with a runner of its own and names the tests that failed. */
async function failures(fault?: Fault): Promise<string[]> {
  const tests: { name: string; body: () => Promise<void> }[] = [];
  let group = "";
  storeContract(() => Promise.resolve(storeInMemory(fault)), {
    describe(name, body) {
      group = name;
      body();
    },
    it: (name, body) => tests.push({ name: `${group}: ${name}`, body }),
  });
  const failed: string[] = [];
  for (const { name, body } of tests) await body().catch(() => failed.push(name));
  return failed;
}

const caught: Readonly<Record<Fault, string>> = {
  "filters after the top k": "filters: takes the best k of what passes, not what passes of the best k",
  "keeps old chunks": "writing: replaces whatever was stored under a path",
  "ignores weights": "search by words: scores by BM25, summed over fields with their weights",
  "forgets the order of keys":
    "reading: delivers chunks in the order asked and leaves out those that are gone",
  "finds null vectors":
    "search by vector: scores by cosine similarity and never finds a chunk without a vector",
  "leaves ties to chance": "ties: orders equal scores by path and position, at the cut too",
  "keeps its version": "metadata: changes its version with every commit, and only then",
  "writes in steps": "concurrency: shows the old chunks of a document or the new ones, never a mixture",
};

describe("the store contract", () => {
  it("passes a store that keeps every promise", async () => {
    expect(await failures()).toEqual([]);
  });

  for (const [fault, test] of Object.entries(caught) as [Fault, string][])
    it(`catches a store that ${fault}`, async () => {
      expect(await failures(fault)).toContain(test);
    });
});
