import { describe, expect, it } from "@jest/globals";
import { planGraph } from "../../../src/core/graph/graph-plan.js";
import { startSources } from "../../../src/core/graph/start-sources.js";
import { indexDocuments } from "../../support/indexed-documents.js";

const quality = { enabled: true, threshold: 0.3 };

async function followed(passages: number, most: number): Promise<{ positions: number[]; leftOut: number }> {
  const [write] = await indexDocuments([
    { path: "a.md", chunks: Array.from({ length: passages }, (_, index) => `Passage ${index}`) },
  ]);
  const { settings } = planGraph({ start: "a.md", max_seed_chunks: most }, quality);
  const { sources, leftOut } = startSources(write!.document, write!.chunks, settings, quality);
  return { positions: sources.map(({ chunk }) => chunk!.position), leftOut };
}

describe("the passages that a walk sets out from", () => {
  it.each([
    [10, 5, [0, 2, 4, 6, 8]],
    [10, 3, [0, 3, 6]],
    [7, 1, [0]],
    [4, 4, [0, 1, 2, 3]],
    [2, 32, [0, 1]],
    [0, 32, []],
  ])("are of %i at most %i, spread evenly", async (passages, most, positions) => {
    expect(await followed(passages, most)).toEqual({ positions, leftOut: Math.max(0, passages - most) });
  });
});
