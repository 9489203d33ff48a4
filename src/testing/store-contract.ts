// The suite that every VectorStore must pass: each promise of the interface, checked from outside.
import type { StoreFactory, VectorStore } from "../core/plugin-api.js";
import { concurrencyChecks } from "./store-contract/concurrency.js";
import { filterChecks } from "./store-contract/filters.js";
import { maintenanceChecks } from "./store-contract/maintenance.js";
import { metadataChecks } from "./store-contract/metadata.js";
import { readingChecks } from "./store-contract/reading.js";
import { textSearchChecks } from "./store-contract/text-search.js";
import { vectorSearchChecks } from "./store-contract/vector-search.js";
import { writingChecks } from "./store-contract/writing.js";
import { tieChecks } from "./store-contract/ties.js";
import type { Check } from "./store-contract/check.js";
import type { TestRunner } from "./test-runner.js";

/** A store that nothing was ever built in, and the means to treat it roughly. */
export interface StoreUnderTest {
  readonly store: VectorStore;
  /** Closes the store and opens it again on the same data. Not asked of an ephemeral store. */
  reopen?(): Promise<VectorStore>;
  /** Closes the store and removes its data. */
  dispose(): Promise<void>;
}

const groups: Readonly<Record<string, readonly Check[]>> = {
  metadata: metadataChecks,
  writing: writingChecks,
  concurrency: concurrencyChecks,
  reading: readingChecks,
  filters: filterChecks,
  "search by words": textSearchChecks,
  "search by vector": vectorSearchChecks,
  ties: tieChecks,
  maintenance: maintenanceChecks,
};

/**
 * Defines the tests of a store. Each has a store of its own.
 * @param createStore makes a fresh, empty store
 * @param runner for example `{ describe, it }` of the runner in use
 * @param traits what the store's factory says of it; an ephemeral store is never opened again
 */
export function storeContract(
  createStore: () => Promise<StoreUnderTest>,
  runner: TestRunner,
  { ephemeral = false }: Pick<StoreFactory, "ephemeral"> = {},
): void {
  for (const [group, checks] of Object.entries(groups))
    runner.describe(group, () => {
      for (const check of checks.filter(({ lasting }) => lasting !== true || !ephemeral))
        runner.it(check.name, async () => {
          const made: StoreUnderTest[] = [];
          const create = async (): Promise<StoreUnderTest> => {
            const one = await createStore();
            made.push(one);
            return one;
          };
          try {
            const subject = await create();
            await check.run({
              store: subject.store,
              reopen: () => (ephemeral ? Promise.resolve(subject.store) : reopened(subject)),
              another: async () => (await create()).store,
            });
          } finally {
            for (const one of made) await one.dispose();
          }
        });
    });
}

function reopened(subject: StoreUnderTest): Promise<VectorStore> {
  if (subject.reopen === undefined)
    throw new Error("A store that is not ephemeral needs `reopen` for its contract");
  return subject.reopen();
}
