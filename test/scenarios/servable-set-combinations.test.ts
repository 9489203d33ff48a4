// The servable set with every embedder and every store that comes with kb-mcp.
import { afterAll, beforeAll, describe, it } from "@jest/globals";
import type { GuardedParser } from "../../src/core/documents/guarded-parse.js";
import { sharedParser } from "../support/assembled-knowledge-base.js";
import { combinationNeeds, combinations, type CombinationNeeds } from "../support/combinations.js";
import { configuredParts } from "./support/index-parts.js";
import { describeResourcesAndReads } from "./support/resources-and-reads.js";
import { expectOneServableSet } from "./support/servable-set.js";

let parser: GuardedParser;
let needs: CombinationNeeds;
beforeAll(async () => {
  parser = await sharedParser();
  needs = await combinationNeeds();
});
afterAll(async () => {
  await needs.close();
  await parser.dispose();
});

describe.each(combinations)("with $embedder and $store", (combination) => {
  it("the servable set is what every surface offers and what a resource read accepts", async () => {
    const parts = await configuredParts(needs.toml(combination));
    try {
      await expectOneServableSet(parser, parts, { runs: 8, least: 3 });
    } finally {
      await parts.close();
    }
  }, 60_000);

  describeResourcesAndReads(() => needs.toml(combination), combination.store !== "memory");
});
