import { afterAll, beforeAll, describe, it } from "@jest/globals";
import type { GuardedParser } from "../../src/core/documents/guarded-parse.js";
import { sharedParser } from "../support/assembled-knowledge-base.js";
import { plainParts } from "./support/index-parts.js";
import { describeResourcesAndReads } from "./support/resources-and-reads.js";
import { expectOneServableSet } from "./support/servable-set.js";

let parser: GuardedParser;
beforeAll(async () => {
  parser = await sharedParser();
});
afterAll(() => parser.dispose());

describe("the servable set", () => {
  it("is what every surface offers and what a resource read accepts, over random trees, indexes and registries", async () => {
    await expectOneServableSet(parser, await plainParts(), { runs: 60, least: 50 });
  }, 60_000);
});

describe("resources and reads", () => {
  describeResourcesAndReads(() => "", true);
});
