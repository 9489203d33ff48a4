import { describe, expect, it } from "@jest/globals";
import { KbError } from "../../../../src/core/errors.js";
import { replyTokens } from "../../../../src/core/index.js";
import type { IndexOptions, IndexProgress, IndexSummary } from "../../../../src/core/index.js";
import { connectClient, textOf } from "../../../support/connect-client.js";
import { memoryKnowledgeBase } from "../../../support/memory-knowledge-base.js";

const files = { "ops/backup.md": "x", "guide/start.md": "y" };
const busy = (): Promise<never> =>
  Promise.reject(new KbError("KB_STORE_BUSY", "Another run holds the index (process 4711)"));

describe("rebuild_index", () => {
  it("replies with the summary of the run", async () => {
    const kb = memoryKnowledgeBase(files);
    const { client, close } = await connectClient(kb);
    const result = await client.callTool({ name: "rebuild_index", arguments: {} });
    await close();
    expect(result.structuredContent).toMatchObject({
      added: 2,
      documents: 2,
      skipped: [],
      warnings: [],
      notes: [],
    });
    expect(kb.indexRuns[0]).not.toHaveProperty("force");
    expect(kb.indexRuns[0]).not.toHaveProperty("onProgress");
  });

  it.each([
    ["true", true],
    [false, false],
  ])("reads force given as %j", async (force, expected) => {
    const kb = memoryKnowledgeBase(files);
    const { client, close } = await connectClient(kb);
    await client.callTool({ name: "rebuild_index", arguments: { force } });
    await close();
    expect(kb.indexRuns[0]).toMatchObject({ force: expected });
  });

  it("notifies a client that asked for progress, ever rising", async () => {
    const { client, close } = await connectClient(memoryKnowledgeBase(files));
    const seen: { progress: number; message?: string | undefined }[] = [];
    await client.callTool({ name: "rebuild_index" }, undefined, { onprogress: (event) => seen.push(event) });
    await close();
    expect(seen.map(({ message }) => message)).toEqual([
      "comparing files with the index",
      "indexing: 2 of 2 files, 0 passages",
      "bringing the search structures up to date",
    ]);
    expect(seen.every(({ progress }, i) => progress > (seen[i - 1]?.progress ?? 0))).toBe(true);
  });

  it.each(["cancels the call", "goes away"])("stops the run when the client %s", async (how) => {
    let stopped: (() => void) | undefined;
    const wasStopped = new Promise<void>((resolve) => (stopped = resolve));
    let began: (() => void) | undefined;
    const hasBegun = new Promise<void>((resolve) => (began = resolve));
    const index = ({ signal }: IndexOptions = {}): Promise<IndexSummary> =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => {
          stopped?.();
          reject(new KbError("KB_CANCELLED", "The run was cancelled"));
        });
        began?.();
      });
    const { client, close } = await connectClient(memoryKnowledgeBase(files, { index }));
    const controller = new AbortController();
    const call = client.callTool({ name: "rebuild_index" }, undefined, { signal: controller.signal });
    const outcome = call.then(
      () => "answered",
      () => "refused",
    );
    await hasBegun;
    if (how === "goes away") await client.close();
    else controller.abort();
    await wasStopped;
    expect(await outcome).toBe("refused");
    await close();
  });

  it.each([
    [
      "in this process",
      {
        indexing: (): IndexProgress => ({
          phase: "index",
          filesDone: 1,
          filesTotal: 2,
          chunksDone: 0,
          startedAt: Date.now() - 42_100,
          elapsedMs: 0,
        }),
      },
    ],
    [
      "in another process",
      {
        status: () =>
          Promise.resolve({
            kb_path: "/kb",
            index_directory: "/index",
            indexed: true,
            writer: { pid: 4711, host: "here", running_seconds: 42.1 },
          }),
      },
    ],
  ])("says how long a run %s has been going", async (_where, replace) => {
    const { client, close } = await connectClient(memoryKnowledgeBase(files, { index: busy, ...replace }));
    const result = await client.callTool({ name: "rebuild_index" });
    await close();
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(
      "KB_STORE_BUSY: Another run holds the index (process 4711).\nThe other run has been going for 42 s. Wait for it and try again.",
    );
  });

  it("keeps the lists of skipped files and warnings within the budget, and says how many there are", async () => {
    const kb = memoryKnowledgeBase(files);
    const plain = kb.index.bind(kb);
    const entries = Array.from({ length: 5000 }, (_, i) => ({
      path: `${i}.md`,
      code: "KB_PARSE_FAILED",
      reason: "no text",
      warning: "odd",
    }));
    kb.index = async (options) => ({ ...(await plain(options)), skipped: entries, warnings: entries });
    const { client, close } = await connectClient(kb, { maxReplyTokens: 4000 });
    const result = await client.callTool({ name: "rebuild_index" });
    await close();
    expect(replyTokens(result.structuredContent)).toBeLessThanOrEqual(4000);
    const { skipped, warnings, notes } = result.structuredContent as IndexSummary & {
      notes: string[];
    };
    expect(skipped.length).toBeGreaterThan(10);
    expect(warnings.length).toBeGreaterThan(10);
    expect(notes[0]).toContain(
      `${skipped.length} of 5000 skipped files and ${warnings.length} of 5000 warnings`,
    );
  });
});
