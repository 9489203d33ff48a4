// The pool with real threads that follow a script instead of a model.
import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it } from "@jest/globals";
import { createLogger } from "../../../src/core/logger.js";
import { WorkerPool } from "../../../src/plugins/embedders/bundled/worker-pool.js";

const never = new AbortController().signal;
const script = new URL("./scripted-worker.mjs", import.meta.url);
const pools: WorkerPool[] = [];

function openPool(options: { threads?: number; load?: "throw" | "exit"; idleMs?: number } = {}) {
  const shared = new Int32Array(new SharedArrayBuffer(16));
  const log: string[] = [];
  const pool = new WorkerPool({
    threads: options.threads ?? 1,
    startWorker: () => new Worker(script, { workerData: { shared: shared.buffer, load: options.load } }),
    logger: createLogger("debug", (line) => log.push(line)),
    ...(options.idleMs === undefined ? {} : { idleMs: { extra: options.idleMs, last: 60_000 } }),
  });
  pools.push(pool);
  return {
    pool,
    log,
    documents: (texts: string[], signal = never) => pool.embed(texts, signal, { urgent: false }),
    query: (text: string, signal = never) => pool.embed([text], signal, { urgent: true }),
    /** Resolves when a worker stands at the gate, in the middle of a batch. */
    atGate: async () => {
      while (Atomics.load(shared, 3) === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    },
    openGate: () => {
      Atomics.store(shared, 1, 1);
      Atomics.notify(shared, 1);
    },
    workersStarted: () => Atomics.load(shared, 2),
  };
}

const places = (vectors: Float32Array[]) => vectors.map((vector) => vector[0]);
const threads = (vectors: Float32Array[]) => new Set(vectors.map((vector) => vector[1]));

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

describe("worker pool of the bundled embedder", () => {
  it("starts no worker before there is work, and none for no texts", async () => {
    const { pool, documents } = openPool();
    expect(await documents([])).toEqual([]);
    expect(pool.workers).toBe(0);
  });

  it("answers each job in order, in small batches, and logs what workers print", async () => {
    const { documents, log } = openPool();
    const jobs = await Promise.all([documents(Array<string>(8).fill("a")), documents(["b"])]);
    expect(jobs.map(places)).toEqual([[0, 1, 2, 3, 4, 5, 6, 7], [8]]);
    expect(log).toEqual([3, 3, 2, 1].map((texts) => `kb-mcp debug: bundled embedder: answering ${texts}`));
  });

  it("puts a query behind one batch of three at most", async () => {
    const { documents, query, atGate, openGate } = openPool();
    const first = documents(["gate", ...Array<string>(19).fill("a")]);
    await atGate();
    const asked = query("q");
    openGate();
    expect(places(await asked)).toEqual([3]);
    expect(await first).toHaveLength(20);
  });

  it("uses more workers only when texts queue up, and never more than allowed", async () => {
    const { pool, documents, query } = openPool({ threads: 2 });
    await query("q");
    await documents(Array<string>(12).fill("a"));
    expect(pool.workers).toBe(1);
    const vectors = documents(["gate", ...Array<string>(99).fill("a")]);
    expect(pool.workers).toBe(2);
    await Promise.race([vectors, documents(["b"])]);
    expect(pool.workers).toBe(2);
  });

  it("goes on with the other workers while one is busy", async () => {
    const { documents, atGate, openGate } = openPool({ threads: 2 });
    const held = documents(["gate", "a", "a"]);
    await atGate();
    const rest = await documents(Array<string>(40).fill("b"));
    expect(threads(rest).size).toBe(1);
    openGate();
    expect(threads(await held)).not.toEqual(threads(rest));
  });

  it("ends extra workers when they have been idle, and keeps the last", async () => {
    const { pool, documents } = openPool({ threads: 3, idleMs: 20 });
    const embedding = documents(Array<string>(100).fill("a"));
    // Counted before the first can be idle: they are started as soon as the texts wait.
    expect(pool.workers).toBe(3);
    await embedding;
    while (pool.workers > 1) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(pool.workers).toBe(1);
  });

  it("cancels what waits and what is under way, and serves the next", async () => {
    const { documents, query, atGate, openGate } = openPool();
    const underWay = new AbortController();
    const waiting = new AbortController();
    const jobs = [documents(["gate", "a", "a", "a"], underWay.signal), documents(["b"], waiting.signal)];
    const settled = Promise.allSettled(jobs);
    await atGate();
    waiting.abort();
    underWay.abort();
    for (const job of await settled)
      expect(job).toMatchObject({ status: "rejected", reason: { code: "KB_CANCELLED" } });
    const next = query("q");
    openGate();
    expect(await next).toHaveLength(1);
  });

  it("refuses a job whose signal is aborted already", async () => {
    const { documents } = openPool();
    await expect(documents(["a"], AbortSignal.abort())).rejects.toMatchObject({ code: "KB_CANCELLED" });
  });

  it.each(["crash", "exit"])("fails the job in which a worker dies by %s, and no other", async (death) => {
    const { documents, log, workersStarted } = openPool();
    const [died, other] = await Promise.allSettled([
      documents(["a", death, "a", "a"]),
      documents(["b", "b"]),
    ]);
    expect(died).toMatchObject({
      status: "rejected",
      reason: {
        code: "KB_EMBED_FAILED",
        message: "The thread of the bundled model ended unexpectedly",
        cause: { message: death === "crash" ? "scripted crash" : "The worker thread exited with code 3" },
      },
    });
    expect(other).toMatchObject({ status: "fulfilled" });
    expect(workersStarted()).toBe(2);
    expect(log.join("\n")).toMatch(/kb-mcp warn: The thread of the bundled model ended unexpectedly/);
  });

  it.each(["throw", "exit"] as const)(
    "fails all waiting jobs when the model cannot be loaded (%s), and stops trying after the third time",
    async (load) => {
      const { documents, query, workersStarted } = openPool({ load });
      const failure = { code: "KB_EMBED_FAILED", message: "The bundled model could not be loaded" };
      const both = await Promise.allSettled([documents(["a", "b"]), query("q")]);
      expect(both).toMatchObject([{ reason: failure }, { reason: failure }]);
      for (let i = 0; i < 5; i++) await expect(query("q")).rejects.toMatchObject(failure);
      expect(workersStarted()).toBe(3);
    },
  );

  it("fails when the system gives no thread", async () => {
    const log: string[] = [];
    const pool = new WorkerPool({
      threads: 4,
      startWorker: () => new Worker(script, { execArgv: ["--no-such-flag"] }),
      logger: createLogger("debug", (line) => log.push(line)),
    });
    await expect(pool.embed(Array<string>(50).fill("a"), never, { urgent: false })).rejects.toMatchObject({
      code: "KB_EMBED_FAILED",
      cause: { code: "ERR_WORKER_INVALID_EXEC_ARGV" },
    });
    expect(log).toHaveLength(3);
  });

  it("cancels what waits when it is closed, and takes nothing afterwards", async () => {
    const { pool, documents, atGate } = openPool();
    const settled = Promise.allSettled([documents(["gate", "a", "a", "a"])]);
    await atGate();
    await pool.close();
    expect(await settled).toMatchObject([{ status: "rejected", reason: { code: "KB_CANCELLED" } }]);
    expect(pool.workers).toBe(0);
    await expect(documents(["a"])).rejects.toMatchObject({ code: "KB_CANCELLED" });
  });
});
