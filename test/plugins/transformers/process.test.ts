// The process of a model: the order of its work, what is cancelled, how it ends and what then becomes of the work.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { PluginHost } from "../../../src/core/plugin-api.js";
import { never, TinyPlugin } from "./support/tiny-plugin.js";

let tiny: TinyPlugin;
beforeAll(() => {
  tiny = new TinyPlugin();
});
afterEach(() => tiny.endAll());
afterAll(() => tiny.remove());

/** A text whose tokens take about a second to count. */
const endless = "dog ".repeat(400_000);

/** A host that tells the numbers of the processes as they start, and once they have loaded the model. */
function watchedHost(told: { starts?: (pid: number) => void; loaded?: (pid: number) => void }): PluginHost {
  const quiet = (): void => undefined;
  const debug = (message: string): void => {
    const [, pid, what] = /^process (\d+) (loads|has loaded) /.exec(message) ?? [];
    if (what === "loads") told.starts?.(Number(pid));
    if (what === "has loaded") told.loaded?.(Number(pid));
  };
  return tiny.host({ logger: { debug, info: quiet, warn: quiet, error: quiet } });
}

const kill = (pid: number): void => void process.kill(pid, "SIGKILL");

describe("work", () => {
  it("for a query goes ahead of documents that wait", async () => {
    const embedder = await tiny.embedder();
    await embedder.embedQuery("the model is loaded", never);
    const order: string[] = [];
    const documents = Array.from({ length: 20 }, (_, i) =>
      embedder.embedDocuments([`document ${i}`], never).then(() => order.push(`document ${i}`)),
    );
    await embedder.embedQuery("a query", never).then(() => order.push("query"));
    await Promise.all(documents);
    expect(order.indexOf("query")).toBeLessThanOrEqual(1);
    expect(order).toHaveLength(21);
  });

  it("that is cancelled is rejected at once, whether it waits or not, and the rest goes on", async () => {
    const embedder = await tiny.embedder();
    const controller = new AbortController();
    const counting = embedder.countTokens!([endless], controller.signal);
    const waiting = embedder.embedDocuments(["a cat"], controller.signal);
    const other = embedder.embedDocuments(["a dog"], never);
    controller.abort();
    await expect(counting).rejects.toMatchObject({ code: "KB_CANCELLED" });
    await expect(waiting).rejects.toMatchObject({ code: "KB_CANCELLED" });
    expect(await other).toHaveLength(1);
  });

  it("is cancelled by dispose, and none is taken afterwards", async () => {
    const embedder = await tiny.embedder();
    const counting = embedder.countTokens!([endless], never);
    const waiting = embedder.embedQuery("a query", never);
    const ended = Promise.allSettled([counting, waiting]);
    await embedder.dispose();
    for (const outcome of await ended) expect(outcome).toMatchObject({ reason: { code: "KB_CANCELLED" } });
    await expect(embedder.embedQuery("a query", never)).rejects.toMatchObject({ code: "KB_CANCELLED" });
  });

  it("is cancelled when kb-mcp shuts down", async () => {
    const shutdown = new AbortController();
    const embedder = await tiny.embedder({}, tiny.host({ signal: shutdown.signal }));
    const counting = embedder.countTokens!([endless], never);
    shutdown.abort();
    await expect(counting).rejects.toMatchObject({ code: "KB_CANCELLED" });
  });
});

describe("a process that is killed", () => {
  it("without work is replaced when there is some", async () => {
    const pids: number[] = [];
    const embedder = await tiny.embedder({}, watchedHost({ loaded: (pid) => pids.push(pid) }));
    const before = await embedder.embedQuery("the cat", never);
    kill(pids[0]!);
    const after = await embedder.embedQuery("the cat", never);
    expect([...after!]).toEqual([...before!]);
    expect(pids).toHaveLength(2);
  });

  it("at work is replaced once, and the work is done", async () => {
    const pids: number[] = [];
    const loaded = (pid: number): void => {
      // After the work was handed over, which follows at once.
      if (pids.push(pid) === 1) setImmediate(kill, pid);
    };
    const embedder = await tiny.embedder({}, watchedHost({ loaded }));
    expect(await embedder.countTokens!([endless], never)).toEqual([400_002]);
    expect(pids).toHaveLength(2);
  });

  it("at the same work twice ends the work as KB_EMBED_FAILED, and the next work is done", async () => {
    let kills = 0;
    const loaded = (pid: number): void => {
      if (kills++ < 2) setImmediate(kill, pid);
    };
    const embedder = await tiny.embedder({}, watchedHost({ loaded }));
    await expect(embedder.countTokens!([endless], never)).rejects.toMatchObject({
      code: "KB_EMBED_FAILED",
      message: "Work with the folder tiny-embedder failed: its process ended twice, by SIGKILL",
    });
    expect(await embedder.embedQuery("the cat", never)).not.toBeNull();
  });

  it("while it loads is replaced once, then all that waits fails as KB_MODEL_INVALID", async () => {
    const pids: number[] = [];
    const starts = (pid: number): void => {
      pids.push(pid);
      kill(pid);
    };
    const embedder = await tiny.embedder({}, watchedHost({ starts }));
    const outcomes = await Promise.allSettled([
      embedder.embedQuery("a query", never),
      embedder.embedDocuments(["a document"], never),
    ]);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({
        reason: { code: "KB_MODEL_INVALID", message: expect.stringContaining("ended twice, by SIGKILL") },
      });
    expect(pids).toHaveLength(2);
    // It does not try again at once for each search.
    await expect(embedder.embedQuery("a query", never)).rejects.toMatchObject({ code: "KB_MODEL_INVALID" });
    expect(pids).toHaveLength(2);
  });
});
