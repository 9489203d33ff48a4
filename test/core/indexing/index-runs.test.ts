import { describe, expect, it } from "@jest/globals";
import { KbError } from "../../../src/core/errors.js";
import { createIndexRuns, type IndexRuns } from "../../../src/core/indexing/index-runs.js";
import type { IndexSummary } from "../../../src/core/indexing/index-summary.js";

const { signal } = new AbortController();
const logger = { debug() {}, info() {}, warn() {}, error() {} };
const summary = { skipped: [], embedded: 0 } as unknown as IndexSummary;
const down = new KbError("KB_EMBED_SERVER", "It is down");
const settle = (): Promise<void> => new Promise(setImmediate);

interface Run {
  end(): void;
  fail(error: unknown): void;
}

/** Runs of an index in memory, whose ends a test decides; as with the real ones, a second at a time is refused. */
function runsOf(restMs?: number): { runs: IndexRuns; begun: Run[] } {
  const begun: Run[] = [];
  let isBusy = false;
  const runs = createIndexRuns({
    indexer: () =>
      Promise.resolve({
        progress: () => undefined,
        abandon: () => Promise.resolve(),
        run: () => {
          if (isBusy) return Promise.reject(new KbError("KB_STORE_BUSY", "Another run is under way"));
          isBusy = true;
          return new Promise<IndexSummary>((resolve, reject) =>
            begun.push({ end: () => resolve(summary), fail: reject }),
          ).finally(() => (isBusy = false));
        },
      }),
    ephemeral: true,
    onBegin: () => Promise.resolve(),
    onEnd: () => undefined,
    untilClosed: (work) => work(signal),
    logger,
    ...(restMs !== undefined && { restMs }),
  });
  return { runs, begun };
}

describe("the runs that fill an index in the background", () => {
  it("tell all who ask of a failure, which rests, until one ends well", async () => {
    const { runs, begun } = runsOf();
    const first = runs.run({ background: true }, signal);
    await settle();
    begun[0]!.fail(down);
    await expect(first).rejects.toBe(down);
    for (let round = 0; round < 3; round++) {
      await expect(runs.ready(signal)).rejects.toBe(down);
      await settle();
    }
    expect(begun).toHaveLength(1);
    const asked = runs.run({}, signal);
    await settle();
    await runs.ready(signal);
    expect(runs.failure()).toMatchObject({ error: down });
    begun[1]!.end();
    await asked;
    await runs.ready(signal);
    expect(runs.failure()).toBeUndefined();
  });

  it("are tried again for the next who asks when a failure has rested", async () => {
    const { runs, begun } = runsOf(0);
    const first = runs.run({ background: true }, signal);
    await settle();
    begun[0]!.fail(down);
    await expect(first).rejects.toBe(down);
    await expect(runs.ready(signal)).rejects.toBe(down);
    await settle();
    expect(begun).toHaveLength(2);
    begun[1]!.end();
    await settle();
    await runs.ready(signal);
    expect(runs.isFilled()).toBe(true);
  });

  it("start no other while one waits to begin, and keep nothing of one that was refused or cancelled", async () => {
    const { runs, begun } = runsOf();
    let begin!: () => void;
    const after = new Promise<void>((resolve) => (begin = resolve));
    const waiting = runs.run({ background: true, after }, signal);
    const asked = runs.run({}, signal);
    await settle();
    begun[0]!.fail(new KbError("KB_CANCELLED", "The client cancelled it"));
    await expect(asked).rejects.toMatchObject({ code: "KB_CANCELLED" });
    await runs.ready(signal);
    await settle();
    expect(begun).toHaveLength(1);
    begin();
    await settle();
    expect(begun).toHaveLength(2);
    await expect(runs.run({}, signal)).rejects.toMatchObject({ code: "KB_STORE_BUSY" });
    await runs.ready(signal);
    expect(runs.failure()).toBeUndefined();
    begun[1]!.end();
    await waiting;
    expect(begun).toHaveLength(2);
  });
});

describe("the runs that others wait for", () => {
  it("are waited for all, where the first that began is refused", async () => {
    const { runs, begun } = runsOf();
    let begin!: () => void;
    const after = new Promise<void>((resolve) => (begin = resolve));
    const refused = runs.run({ after }, signal);
    const run = runs.run({}, signal);
    await settle();
    const ready = runs.ready(signal);
    begin();
    await expect(refused).rejects.toMatchObject({ code: "KB_STORE_BUSY" });
    begun[0]!.end();
    await Promise.all([run, ready]);
    expect(begun).toHaveLength(1);
  });
});
