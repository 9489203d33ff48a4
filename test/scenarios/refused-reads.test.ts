// Every way a read is refused, alone and with every embedder and every store that comes with kb-mcp.
import { afterAll, beforeAll, describe, it } from "@jest/globals";
import { combinationNeeds, combinations, type CombinationNeeds } from "../support/combinations.js";
import { configuredParts, plainParts, type IndexParts } from "./support/index-parts.js";
import { expectRefusalsThatTellNothing } from "./support/refused-reads.js";

let needs: CombinationNeeds;
beforeAll(async () => {
  needs = await combinationNeeds();
});
afterAll(() => needs.close());

async function withParts(made: Promise<IndexParts>): Promise<void> {
  const parts = await made;
  try {
    await expectRefusalsThatTellNothing(parts);
  } finally {
    await parts.close();
  }
}

describe("no refusal of a read tells a place of the machine or a stack", () => {
  it("whatever the index is made with", () => withParts(plainParts()));

  it.each(combinations)("with $embedder and $store", (combination) =>
    withParts(configuredParts(needs.toml(combination))),
  );
});
