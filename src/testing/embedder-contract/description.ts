// What the interface promises of what an embedder says of itself.
import assert from "node:assert/strict";
import { never, type EmbedderCheck } from "./check.js";

export const descriptionChecks: readonly EmbedderCheck[] = [
  {
    name: "has vectors of a whole number of dimensions",
    async run({ embedder: { dimensions } }) {
      await Promise.resolve();
      assert.ok(Number.isInteger(dimensions) && dimensions > 0, `"dimensions" is ${dimensions}`);
    },
  },
  {
    name: "names its model",
    async run({ embedder: { model } }) {
      await Promise.resolve();
      assert.ok(typeof model === "string" && model.trim() !== "", '"model" is not a text');
    },
  },
  {
    name: "wants passages of a size that it allows",
    async run({ embedder }) {
      await Promise.resolve();
      const { target, max } = embedder.chunkTokens;
      assert.ok(
        Number.isInteger(target) && Number.isInteger(max) && target > 0,
        `"chunkTokens" are ${target} and ${max}, not whole numbers above 0`,
      );
      assert.ok(target <= max, `the target of "chunkTokens", ${target}, is above its max, ${max}`);
    },
  },
  {
    name: "has a weight in fusion from 0 to 1",
    async run({ embedder: { fusionWeight } }) {
      await Promise.resolve();
      assert.ok(fusionWeight >= 0 && fusionWeight <= 1, `"fusionWeight" is ${fusionWeight}`);
    },
  },
  {
    name: "counts the tokens of each text, and never fewer for more text, if it counts at all",
    async run({ embedder, texts }) {
      if (embedder.countTokens === undefined) return;
      const longer = texts.map((text) => `${text} ${text}`);
      const counts = await embedder.countTokens([...texts, ...longer, ""], never);
      assert.equal(counts.length, texts.length * 2 + 1, "there is not one count for each text");
      for (const count of counts)
        assert.ok(Number.isInteger(count) && count >= 0, `a count is ${count}, not a whole number from 0`);
      for (const [index, text] of texts.entries())
        assert.ok(
          (counts[index + texts.length] ?? 0) >= (counts[index] ?? 0),
          `twice the text ${JSON.stringify(text.slice(0, 60))} takes fewer tokens`,
        );
      assert.deepEqual([...(await embedder.countTokens([], never))], []);
    },
  },
];
