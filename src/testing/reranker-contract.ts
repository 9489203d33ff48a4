// The suite that every Reranker must pass: each promise of the interface, checked from outside.
import type { Reranker } from "../core/plugin-api.js";
import { rerankerChecks, type RerankerProbe } from "./reranker-contract/checks.js";
import type { TestRunner } from "./test-runner.js";

export type { RerankerProbe } from "./reranker-contract/checks.js";

/**
 * Defines the tests of a reranker. Each has a reranker of its own and disposes of it.
 * @param createReranker makes a fresh reranker; what it loads may be shared
 * @param runner for example `{ describe, it }` of the runner in use
 * @param options.probe a question that the reranker must judge rightly
 */
export function rerankerContract(
  createReranker: () => Reranker | Promise<Reranker>,
  runner: TestRunner,
  { probe }: { readonly probe?: RerankerProbe } = {},
): void {
  for (const [group, checks] of Object.entries(rerankerChecks(probe)))
    runner.describe(group, () => {
      for (const check of checks)
        runner.it(check.name, async () => {
          const reranker = await createReranker();
          try {
            await check.run(reranker);
          } finally {
            await reranker.dispose();
          }
        });
    });
}
