// The promises that every reranker keeps, kept by this one with a tiny model.
import { afterAll, describe, it } from "@jest/globals";
import { rerankerContract } from "../../../src/testing/index.js";
import { TinyPlugin } from "./support/tiny-plugin.js";

const tiny = new TinyPlugin();
afterAll(() => tiny.remove());

describe("the reranker transformers", () => {
  rerankerContract(
    () => tiny.reranker({ threads: 1 }),
    { describe, it },
    {
      probe: {
        query: "when does the backup of the database run",
        better: "the backup of the database runs every night",
        worse: "apple pie",
      },
    },
  );
});
