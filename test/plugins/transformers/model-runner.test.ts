// When the process of a model is started and ended, and how long work waits for it.
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, it } from "@jest/globals";
import { tinyDimensions, tinyWindow } from "../../../scripts/tiny-models.mjs";
import { KbError } from "../../../src/core/plugin-api.js";
import { ModelRunner, type RunnerSettings } from "../../../src/plugins/transformers/runtime/model-runner.js";
import { never, TinyPlugin } from "./support/tiny-plugin.js";

let tiny: TinyPlugin;
const runners: ModelRunner[] = [];
beforeAll(() => {
  tiny = new TinyPlugin();
});
afterEach(() => Promise.all(runners.splice(0).map((runner) => runner.close())));
afterAll(() => tiny.remove());

function runnerWith(settings: Partial<RunnerSettings>): ModelRunner {
  const runner = new ModelRunner({
    table: "[embedder]",
    failedCode: "KB_EMBED_FAILED",
    locate: () => Promise.resolve(tiny.embedderFolder),
    load: {
      name: "tiny",
      onnxFile: "onnx/model_quantized.onnx",
      window: tinyWindow,
      quantized: true,
      threads: 1,
      embedding: { pooling: "mean", dimensions: tinyDimensions },
    },
    logger: tiny.host().logger,
    ...settings,
  });
  runners.push(runner);
  return runner;
}

const work = { kind: "count", texts: ["the cat"] } as const;

it("work waits until the files of the model are found, and what is urgent goes first then", async () => {
  let found: (folder: string) => void = () => undefined;
  const folder = new Promise<string>((resolve) => (found = resolve));
  const runner = runnerWith({ locate: () => folder });
  const order: string[] = [];
  const ended = [false, true].map((urgent) =>
    runner.run(work, never, { urgent }).then(() => order.push(urgent ? "query" : "document")),
  );
  found(tiny.embedderFolder);
  await Promise.all(ended);
  expect(order).toEqual(["query", "document"]);
});

it("the process ends after a time without work, and another is started for the next", async () => {
  const started: string[] = [];
  const debug = (message: string): void => {
    if (message.includes("loads")) started.push(message);
  };
  const runner = runnerWith({ idleMs: 20, logger: { ...tiny.host().logger, debug } });
  expect(await runner.run(work, never, { urgent: false })).toEqual([4]);
  const pid = Number(/\d+/.exec(started[0] ?? "")?.[0]);
  while (isAlive(pid)) await wait(10);
  expect(await runner.run(work, never, { urgent: false })).toEqual([4]);
  expect(started).toHaveLength(2);
});

it("a model that cannot be had fails all that waits, and is not asked for again at once", async () => {
  let asked = 0;
  const missing = new KbError("KB_MODEL_MISSING", "The model tiny is not on this machine");
  const runner = runnerWith({
    locate: () => {
      asked++;
      return Promise.reject(missing);
    },
  });
  const outcomes = await Promise.allSettled([
    runner.run(work, never, { urgent: false }),
    runner.run(work, never, { urgent: true }),
  ]);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: "KB_MODEL_MISSING" } });
  await expect(runner.run(work, never, { urgent: true })).rejects.toMatchObject({ code: "KB_MODEL_MISSING" });
  expect(asked).toBe(1);
});

it("a search for the model ends with the runner", async () => {
  let stopped: AbortSignal | undefined;
  const runner = runnerWith({
    locate: (signal) => {
      stopped = signal;
      return new Promise(() => undefined);
    },
  });
  const answer = runner.run(work, never, { urgent: false });
  const cancelled = expect(answer).rejects.toMatchObject({ code: "KB_CANCELLED" });
  await runner.close();
  await cancelled;
  expect(stopped?.aborted).toBe(true);
});

it("takes no more than a thousand pieces of work", async () => {
  const runner = runnerWith({ locate: () => new Promise(() => undefined) });
  const waiting = Array.from({ length: 1000 }, () => runner.run(work, never, { urgent: false }));
  const ended = Promise.allSettled(waiting);
  await expect(runner.run(work, never, { urgent: true })).rejects.toMatchObject({ code: "KB_EMBED_FAILED" });
  await runner.close();
  await ended;
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
