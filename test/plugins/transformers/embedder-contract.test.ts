// The promises that every embedder keeps, kept by this one with a tiny model.
import { afterAll, describe, it } from "@jest/globals";
import { embedderContract } from "../../../src/testing/index.js";
import { TinyPlugin } from "./support/tiny-plugin.js";

const tiny = new TinyPlugin();
afterAll(() => tiny.remove());

describe("the embedder transformers", () => {
  embedderContract(() => tiny.embedder({ threads: 1 }), { describe, it });
});
