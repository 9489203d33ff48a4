import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { IndexProgress } from "../../../src/core/index.js";
import { createLogger } from "../../../src/core/logger.js";
import { createProgressReporter } from "../../../src/transports/mcp/index-progress.js";

function reporter(clock: () => number) {
  const sent: { progress: number; total: number; message: string; progressToken: string }[] = [];
  const send = (notification: { params?: unknown }): Promise<void> => {
    sent.push(notification.params as (typeof sent)[number]);
    return Promise.resolve();
  };
  return { sent, report: createProgressReporter("token", send, createLogger("error"), clock) };
}

const at = (phase: IndexProgress["phase"], filesDone: number, filesTotal: number): IndexProgress => ({
  phase,
  filesDone,
  filesTotal,
  chunksDone: 7,
  elapsedMs: 1,
});

describe("progress notifications", () => {
  it("carry the client's token, percent, and words", () => {
    const { sent, report } = reporter(() => 0);
    report(at("index", 50, 100));
    expect(sent).toEqual([
      { progressToken: "token", progress: 50, total: 100, message: "indexing: 50 of 100 files, 7 passages" },
    ]);
  });

  it("are few within a phase, and each phase is announced", () => {
    let time = 0;
    const { sent, report } = reporter(() => time);
    for (let i = 0; i < 1000; i++, time++) report(at("index", i, 1000));
    report(at("finish", 1000, 1000));
    expect(sent.length).toBe(5);
    expect(sent.at(-1)!.message).toMatch(/search structures/u);
  });

  it("always rise and never reach the total, whatever a run reports", () => {
    const phase = fc.constantFrom("scan", "index", "finish");
    const step = fc.tuple(phase, fc.nat(50), fc.nat(50));
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 50 }), (steps) => {
        let time = 0;
        const { sent, report } = reporter(() => (time += 1000));
        for (const [name, done, total] of steps) report(at(name, done, total));
        expect(sent.length).toBe(steps.length);
        for (const [i, { progress }] of sent.entries()) {
          expect(progress).toBeGreaterThan(sent[i - 1]?.progress ?? 0);
          expect(progress).toBeLessThan(100);
        }
      }),
    );
  });
});
