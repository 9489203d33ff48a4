// The suite that every Embedder must pass: each promise of the interface, checked from outside.
import assert from "node:assert/strict";
import type { Embedder } from "../core/plugin-api.js";
import { descriptionChecks } from "./embedder-contract/description.js";
import { endingChecks } from "./embedder-contract/ending.js";
import { vectorChecks } from "./embedder-contract/vectors.js";
import type { TestRunner } from "./test-runner.js";

const englishTexts = [
  "The backup of the database runs every night at two.",
  "Employees ask their manager for a day off.",
  "An apple pie needs cinnamon and butter.",
  "The printer on the second floor is out of paper.",
];

/**
 * Defines the tests of an embedder. Each has an embedder of its own and disposes of it.
 * @param createEmbedder makes a fresh embedder; what it loads may be shared
 * @param runner for example `{ describe, it }` of the runner in use
 * @param options.texts at least three texts of different meaning that the model can read; short English sentences if
 *   absent
 */
export function embedderContract(
  createEmbedder: () => Embedder | Promise<Embedder>,
  runner: TestRunner,
  { texts = englishTexts }: { readonly texts?: readonly string[] } = {},
): void {
  for (const [group, checks] of Object.entries({
    description: descriptionChecks,
    vectors: vectorChecks,
    ending: endingChecks,
  }))
    runner.describe(group, () => {
      for (const check of checks)
        runner.it(check.name, async () => {
          assert.ok(new Set(texts).size >= 3, "give at least three different texts");
          const embedder = await createEmbedder();
          try {
            await check.run({ embedder, texts });
          } finally {
            await embedder.dispose();
          }
        });
    });
}
