// An index that lives in its process only: it is filled when it is first asked.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { GuardedParser } from "../../src/core/documents/guarded-parse.js";
import { KbError } from "../../src/core/errors.js";
import type { IndexProgress, KnowledgeBase } from "../../src/core/index.js";
import { assembleKnowledgeBase, registryOf, sharedParser } from "../support/assembled-knowledge-base.js";
import { letterEmbedder } from "../support/letter-embedder.js";
import { memoryStore } from "../support/memory-store.js";
import { storeFolder, type StoreFolder } from "../support/store-in-folder.js";
import { writeTree } from "../support/temporary-folder.js";

let parser: GuardedParser;
let folder: StoreFolder;
let opened: KnowledgeBase[];
/** Times that each file was parsed for the index. */
let parsed: Record<string, number>;

beforeAll(async () => {
  parser = await sharedParser();
});
afterAll(() => parser.dispose());
beforeEach(async () => {
  folder = await storeFolder();
  opened = [];
  parsed = {};
  await writeTree(folder.path, {
    "kb/trips/kyoto.md": "# Kyoto\n\nWe saw the moss garden in the rain.\n",
    "kb/trips/oslo.md": "# Oslo\n\nThe ferry to the islands runs every hour.\n",
    "golden.yml": "queries:\n  - query: moss garden\n    expected:\n      - path: trips/kyoto.md\n",
  });
});
afterEach(async () => {
  for (const knowledgeBase of opened) await knowledgeBase.close();
  await folder.remove();
});

async function open(
  settings: Partial<Parameters<typeof assembleKnowledgeBase>[1]> = {},
): Promise<KnowledgeBase> {
  const counting: GuardedParser = {
    readText: (...args) => parser.readText(...args),
    readChunks: (path, ...rest) => {
      parsed[path] = (parsed[path] ?? 0) + 1;
      return parser.readChunks(path, ...rest);
    },
    dispose: () => Promise.resolve(),
  };
  const knowledgeBase = assembleKnowledgeBase(folder.path, {
    registry: await registryOf(["md"]),
    parser: counting,
    store: memoryStore(),
    ephemeral: true,
    ...settings,
  });
  opened.push(knowledgeBase);
  return knowledgeBase;
}

/** An embedder whose documents wait until they are let go. */
function gate() {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  let arrive!: () => void;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const letters = letterEmbedder();
  const embedder = () => ({
    ...letters,
    embedDocuments: async (texts: readonly string[], signal: AbortSignal) => {
      arrive();
      await opened;
      return letters.embedDocuments(texts, signal);
    },
  });
  return { open, arrived, embedder };
}

const once = { "trips/kyoto.md": 1, "trips/oslo.md": 1 };

describe("an index in memory", () => {
  it.each<[string, (knowledgeBase: KnowledgeBase) => Promise<unknown>, unknown]>([
    ["search", (kb) => kb.search({ query: "moss garden" }), { mode: "hybrid", notes: [] }],
    ["the graph", (kb) => kb.connectionGraph({ start: "trips/kyoto.md" }), { start: "trips/kyoto.md" }],
    ["list_topics", (kb) => kb.listTopics(), { documents: 2 }],
    ["the list of resources", async (kb) => (await kb.listResources()).length, 1],
    ["a resource", (kb) => kb.readResource("kb://doc/trips/oslo.md"), { mimeType: "text/markdown" }],
    ["the spelling of a URI", (kb) => kb.canonicalUri("kb://doc/trips/oslo.md"), "kb://doc/trips/oslo.md"],
    ["recent documents", (kb) => kb.recentDocuments("2000-01-01", 5), { total: 2 }],
    ["completion", (kb) => kb.completePath("trips/k", 5), { paths: ["trips/kyoto.md"] }],
    ["status with paths", (kb) => kb.status({ paths: true }), { paths: Object.keys(once) }],
    ["an evaluation", (kb) => kb.evaluate({ golden: join(folder.path, "golden.yml") }), { documents: 2 }],
  ])("is filled before %s asks it", async (_, ask, expected) => {
    const answer = await ask(await open());
    if (typeof expected === "object") expect(answer).toMatchObject(expected as object);
    else expect(answer).toBe(expected);
    expect(parsed).toEqual(once);
  });

  it("names a best practice that is spelled otherwise", async () => {
    await writeFile(join(folder.path, "kb", "react.md"), "# React\n\nText.\n");
    expect((await (await open()).bestPractice({ target: "React" })).path).toBe("react.md");
  });

  it("is filled once for all who ask at the same time, and for those who ask later", async () => {
    const knowledgeBase = await open();
    const replies = await Promise.all(
      ["moss", "ferry", "garden"].map((query) => knowledgeBase.search({ query })),
    );
    expect(replies.map(({ results }) => results.length > 0)).toEqual([true, true, true]);
    await knowledgeBase.search({ query: "rain" });
    expect(parsed).toEqual(once);
  });

  it("is not filled again after a run that was asked for, nor beside it", async () => {
    const knowledgeBase = await open();
    const run = knowledgeBase.index();
    expect((await knowledgeBase.search({ query: "moss" })).notes).toEqual([]);
    await run;
    expect(parsed).toEqual(once);
  });

  it("tells how far it is", async () => {
    const { open: letGo, arrived, embedder } = gate();
    const knowledgeBase = await open({ embedder });
    const progress: IndexProgress[] = [];
    const filling = knowledgeBase.fill({ onProgress: (step) => progress.push(step) });
    await arrived;
    expect(knowledgeBase.indexing()).toMatchObject({ phase: "index", filesTotal: 2 });
    letGo();
    await filling;
    expect(progress.map(({ phase }) => phase)).toEqual(expect.arrayContaining(["scan", "index", "finish"]));
    expect(knowledgeBase.indexing()).toBeUndefined();
  });

  it("goes on being filled for others when one who waits gives up", async () => {
    const { open: letGo, arrived, embedder } = gate();
    const knowledgeBase = await open({ embedder });
    const stop = new AbortController();
    const first = knowledgeBase.search({ query: "moss" }, stop.signal);
    const second = knowledgeBase.search({ query: "moss" });
    await arrived;
    stop.abort();
    await expect(first).rejects.toMatchObject({ code: "KB_CANCELLED" });
    letGo();
    expect((await second).results[0]?.path).toBe("trips/kyoto.md");
    expect(parsed).toEqual(once);
  });

  it("is filled anew for those who wait for a run that is cancelled", async () => {
    const { open: letGo, arrived, embedder } = gate();
    const knowledgeBase = await open({ embedder });
    const stop = new AbortController();
    const run = knowledgeBase.index({ signal: stop.signal });
    const searching = knowledgeBase.search({ query: "moss" });
    await arrived;
    stop.abort();
    letGo();
    await expect(run).rejects.toMatchObject({ code: "KB_CANCELLED" });
    expect((await searching).results[0]?.path).toBe("trips/kyoto.md");
  });

  it("fails all who wait with what the run fails with, and is tried again by the next", async () => {
    let runs = 0;
    const letters = letterEmbedder();
    const knowledgeBase = await open({
      embedder: () => ({
        ...letters,
        embedDocuments: (texts, signal) =>
          ++runs === 1
            ? Promise.reject(new KbError("KB_EMBED_SERVER", "It is down"))
            : letters.embedDocuments(texts, signal),
      }),
    });
    const both = await Promise.allSettled([
      knowledgeBase.search({ query: "moss" }),
      knowledgeBase.listTopics(),
    ]);
    expect(both).toMatchObject([
      { status: "rejected", reason: { code: "KB_EMBED_SERVER" } },
      { status: "rejected", reason: { code: "KB_EMBED_SERVER" } },
    ]);
    expect(runs).toBe(1);
    expect((await knowledgeBase.search({ query: "moss" })).results[0]?.path).toBe("trips/kyoto.md");
  });

  it("lets nobody wait where it is filled in the background", async () => {
    const { open: letGo, arrived, embedder } = gate();
    const knowledgeBase = await open({ embedder });
    const run = knowledgeBase.index({ background: true });
    expect((await knowledgeBase.search({ query: "moss" })).notes).toEqual([
      expect.stringMatching(/^Indexing /u),
    ]);
    await arrived;
    expect(await knowledgeBase.listResources()).toEqual([]);
    letGo();
    await run;
    expect((await knowledgeBase.search({ query: "moss" })).notes).toEqual([]);
  });

  it("tells all who ask that the background run failed, until one that is asked for ends well", async () => {
    let runs = 0;
    let isDown = true;
    const letters = letterEmbedder();
    const knowledgeBase = await open({
      embedder: () => ({
        ...letters,
        embedDocuments(texts, signal) {
          runs++;
          return isDown
            ? Promise.reject(new KbError("KB_EMBED_SERVER", "It is down"))
            : letters.embedDocuments(texts, signal);
        },
      }),
    });
    const failure = { code: "KB_EMBED_SERVER", message: "It is down" };
    await expect(knowledgeBase.index({ background: true })).rejects.toMatchObject(failure);
    isDown = false;
    for (let round = 0; round < 3; round++) {
      await expect(knowledgeBase.search({ query: "moss" })).rejects.toMatchObject(failure);
      await expect(knowledgeBase.listTopics()).rejects.toMatchObject(failure);
      await expect(knowledgeBase.listResources()).rejects.toMatchObject(failure);
    }
    expect(runs).toBe(1);
    await knowledgeBase.index();
    expect((await knowledgeBase.search({ query: "moss" })).results[0]?.path).toBe("trips/kyoto.md");
  });

  it("tells of the failure beside what is being done about it", async () => {
    const { open: letGo, arrived, embedder } = gate();
    let isDown = true;
    const letters = embedder();
    const knowledgeBase = await open({
      embedder: () => ({
        ...letters,
        embedDocuments: (texts, signal) =>
          isDown
            ? Promise.reject(new KbError("KB_EMBED_SERVER", "It is down"))
            : letters.embedDocuments(texts, signal),
      }),
    });
    await expect(knowledgeBase.index({ background: true })).rejects.toMatchObject({
      code: "KB_EMBED_SERVER",
    });
    isDown = false;
    const run = knowledgeBase.index();
    await arrived;
    expect((await knowledgeBase.search({ query: "moss" })).notes).toEqual([
      expect.stringMatching(/^Indexing is under way/u),
      "The last attempt to fill the index failed (KB_EMBED_SERVER: It is down); this is another one.",
    ]);
    letGo();
    await run;
    expect((await knowledgeBase.search({ query: "moss" })).notes).toEqual([]);
  });

  it("tells nobody of a run in the background that was cancelled, and is filled all the same", async () => {
    const { open: letGo, arrived, embedder } = gate();
    const knowledgeBase = await open({ embedder });
    const stop = new AbortController();
    const run = knowledgeBase.index({ background: true, signal: stop.signal });
    await arrived;
    stop.abort();
    await expect(run).rejects.toMatchObject({ code: "KB_CANCELLED" });
    letGo();
    await knowledgeBase.search({ query: "moss" });
    while (knowledgeBase.indexing() !== undefined) await new Promise(setImmediate);
    expect((await knowledgeBase.search({ query: "moss" })).results[0]?.path).toBe("trips/kyoto.md");
  });

  it("shows nothing of a lasting index, nor of who writes to it", async () => {
    const index = join(folder.path, "index");
    await mkdir(index);
    await writeFile(join(index, "overview.json"), JSON.stringify({ documents: 99, topics: [] }));
    const lease = { pid: process.ppid, host: hostname(), startedAt: Date.now(), token: "of-another" };
    await writeFile(join(index, "writer.lease"), JSON.stringify(lease));
    const knowledgeBase = await open();
    expect(await knowledgeBase.status()).toEqual({
      kb_path: join(folder.path, "kb"),
      indexed: false,
      ephemeral: true,
    });
    expect(await knowledgeBase.overview()).toBeUndefined();
    expect(parsed).toEqual({});
  });

  it("keeps the history of evaluations in a place that lasts", async () => {
    const knowledgeBase = await open({ evalHistoryDirectory: join(folder.path, "lasting") });
    await knowledgeBase.evaluate({ golden: join(folder.path, "golden.yml") });
    expect(await readFile(join(folder.path, "lasting", "eval-history.jsonl"), "utf8")).toContain("mrr");
  });
});
