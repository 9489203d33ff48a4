import { describe, expect, it } from "@jest/globals";
import { differences, fingerprintOf, type Fingerprint } from "../../../src/core/eval/fingerprint.js";
import { parseGolden } from "../../../src/core/eval/parse-golden.js";
import { indexIdentity } from "../../../src/core/indexing/index-identity.js";
import type { SearchOptions } from "../../../src/core/search/search.js";
import { indexDocuments } from "../../support/indexed-documents.js";
import { letterEmbedder } from "../../support/letter-embedder.js";
import { memoryStore } from "../../support/memory-store.js";

const golden = parseGolden("queries:\n  - query: moss\n    expected: [{path: a.md}]\n", "golden.yml");
const identity = indexIdentity("letters", letterEmbedder(), []);
const options: SearchOptions = {
  minConfidence: 0.5,
  limit: 5,
  qualityFilter: { enabled: true, threshold: 0.3 },
  maxReplyTokens: 16_000,
};

async function withOptions(more: Partial<SearchOptions>, reranker?: string): Promise<Fingerprint> {
  const store = memoryStore(await indexDocuments([{ path: "a.md", chunks: ["Moss."] }]));
  return fingerprintOf(golden, identity, { ...options, ...more }, reranker, store);
}

describe("the fingerprint of a run", () => {
  it.each<Partial<SearchOptions>>([
    { limit: 20 },
    { maxReplyTokens: 4000 },
    { parentRetriever: true },
    { mmrLambda: 0.2 },
    { mmrSameDocPenalty: 0.5 },
  ])("is the same with %j, which the ranking does not depend on", async (more) => {
    expect(differences(await withOptions({}), await withOptions(more))).toEqual([]);
  });

  it.each<[Partial<SearchOptions>, string | undefined]>([
    [{ mmr: true }, undefined],
    [{ vectorWeight: 0.5 }, undefined],
    [{ qualityFilter: { enabled: false, threshold: 0.3 } }, undefined],
    [{}, "cross-encoder"],
  ])("differs in the settings with %j and the reranker %s", async (more, reranker) => {
    expect(differences(await withOptions({}), await withOptions(more, reranker))).toEqual(["settings"]);
  });

  it("differs in the settings of variety where hits are chosen for it", async () => {
    const some = await withOptions({ mmr: true, mmrLambda: 0.5 });
    expect(differences(some, await withOptions({ mmr: true, mmrLambda: 0.6 }))).toEqual(["settings"]);
  });
});
