import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { StoredChunk, StoredDocument, VectorStore } from "../../../src/core/plugin-api.js";
import { Database } from "../../../src/plugins/stores/lancedb/database.js";
import { frequencyOf } from "../../../src/testing/store-contract/brute-force.js";
import { allFields, collectDocuments } from "../../../src/testing/store-contract/check.js";
import { generation } from "../../support/store-generations.mjs";
import { storeFolder, type StoreFolder } from "../../support/store-in-folder.js";

const writer = fileURLToPath(new URL("../../support/store-writer.mjs", import.meta.url));

/** Starts the writer, lets it commit some generations and kills it. @returns the last generation it reported */
async function writeUntilKilled(
  folder: StoreFolder,
  mode: "replace" | "reset",
  first: number,
  milliseconds: number,
): Promise<number> {
  const child = spawn(process.execPath, [writer, join(folder.path, "data"), mode, `${first}`], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, LANCEDB_LOG: "off" },
  });
  let last = first - 1;
  child.stdout.on("data", (data: Buffer) => (last = Number(data.toString().trim().split("\n").at(-1))));
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  await setTimeout(milliseconds);
  child.kill("SIGKILL");
  const [, signal] = (await ended) as [number | null, string | null];
  expect(signal).toBe("SIGKILL");
  return last;
}

async function contentsOf(
  store: VectorStore,
): Promise<{ document: StoredDocument; chunks: StoredChunk[] }[]> {
  const documents = (await collectDocuments(store, allFields)) as StoredDocument[];
  return Promise.all(
    documents.map(async (document) => ({ document, chunks: await store.documentChunks(document.path) })),
  );
}

/** Every document is whole, or marked so that the next run takes it for changed; no chunk is without a document. */
async function expectWhole(store: VectorStore): Promise<void> {
  const contents = await contentsOf(store);
  for (const { document, chunks } of contents) {
    const generations = new Set(chunks.map(({ content }) => content));
    expect(generations.size).toBeLessThanOrEqual(1);
    expect(chunks.map(({ position }) => position)).toEqual(chunks.map((_, index) => index));
    if (document.contentHash === "") {
      expect(document.modifiedMs).toBe(0);
      continue;
    }
    expect(chunks).toHaveLength(document.chunkCount);
    if (chunks.length > 0) expect([...generations]).toEqual([document.contentHash]);
  }
  const counts = await store.counts();
  expect(counts.chunks).toBe(contents.flatMap(({ chunks }) => chunks).length);
}

describe("a lancedb store whose writer was killed", () => {
  let folder: StoreFolder;
  beforeEach(async () => (folder = await storeFolder()));
  afterEach(() => folder.remove());

  it("opens whole, and the next write puts everything right", async () => {
    const built = await folder.open();
    await built.reset({ dimensions: 4, meta: { built: "yes" } });
    await built.close();
    let next = 1;
    for (const milliseconds of [3, 40, 90, 170, 260]) {
      next = 1 + (await writeUntilKilled(folder, "replace", next, milliseconds));
      const store = await folder.open();
      expect(await store.readMeta()).toEqual({ built: "yes" });
      await expectWhole(store);
      // What the next run does: documents that are marked are written anew.
      const contents = await contentsOf(store);
      const unfinished = contents.filter(({ document }) => document.contentHash === "");
      await store.write({ delete: unfinished.map(({ document }) => document.path) });
      await store.write(generation(next++));
      await expectWhole(store);
      const chunks = (await contentsOf(store)).flatMap((one) => one.chunks);
      const terms = ["common", "term1", "term2", "term8"];
      expect(await store.documentFrequencies(terms)).toEqual(
        terms.map((term) => frequencyOf(chunks, "text", term)),
      );
      await store.close();
    }
  });

  it("counts terms anew when a write ended between the chunks and their statistics", async () => {
    const store = await folder.open();
    await store.reset({ dimensions: 4, meta: {} });
    await store.write(generation(2));
    await store.close();
    const database = new Database(join(folder.path, "data", "index"));
    const tables = await database.tables();
    await tables?.documents.update({
      where: "path = 'doc-2.md'",
      values: { contentHash: "", modifiedMs: 0 },
    });
    await tables?.lexicon.delete("term = 'common'");
    await database.close();
    const opened = await folder.open();
    await opened.write(generation(2));
    const chunks = (await contentsOf(opened)).flatMap((one) => one.chunks);
    expect(chunks.length).toBeGreaterThan(0);
    expect(await opened.documentFrequencies(["common"])).toEqual([chunks.length]);
  });

  it("is an index or is none after a reset that was cut short", async () => {
    let next = 1;
    for (const milliseconds of [0, 35, 80, 120]) {
      next = 1 + (await writeUntilKilled(folder, "reset", next, milliseconds));
      const store = await folder.open();
      const meta = await store.readMeta();
      if (meta === undefined) {
        await expect(store.write(generation(next))).rejects.toMatchObject({ code: "KB_STORE_EMPTY" });
        await expect(store.writeMeta({ a: "1" })).rejects.toMatchObject({ code: "KB_STORE_EMPTY" });
        await store.reset({ dimensions: 4, meta: {} });
      } else await expectWhole(store);
      await store.write(generation(next++));
      await expectWhole(store);
      await store.close();
    }
  });
});
