// Runs a contract with a runner of its own.
import type { TestRunner } from "../../../src/testing/index.js";

export interface Ran {
  /** "group: name" of every test, in order. */
  readonly names: readonly string[];
  /** What the tests that failed said, by their names. */
  readonly failures: ReadonlyMap<string, string>;
}

export async function runContract(define: (runner: TestRunner) => void): Promise<Ran> {
  const tests: { readonly name: string; readonly body: () => Promise<void> }[] = [];
  let group = "";
  define({
    describe(name, body) {
      group = name;
      body();
    },
    it: (name, body) => tests.push({ name: `${group}: ${name}`, body }),
  });
  const failures = new Map<string, string>();
  for (const { name, body } of tests)
    await body().catch((error: unknown) => failures.set(name, (error as Error).message));
  return { names: tests.map(({ name }) => name), failures };
}
