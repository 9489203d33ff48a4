import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { execFile } from "node:child_process";
import { access, readdir, rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { DocumentWrite, VectorStore } from "../../../src/core/plugin-api.js";
import { isKbError } from "../../../src/core/plugin-api.js";
import plugin from "../../../src/plugins/stores/lancedb/index.js";
import { Database } from "../../../src/plugins/stores/lancedb/database.js";
import { LanceDbStore } from "../../../src/plugins/stores/lancedb/store.js";
import { pluginHost } from "../../support/plugin-host.js";
import { assertSame } from "../../../src/testing/store-contract/assert-same.js";
import { assertRanking } from "../../../src/testing/store-contract/assert-ranking.js";
import { chunksOf, nearest } from "../../../src/testing/store-contract/brute-force.js";
import {
  everywhere,
  randomDocuments,
  randomFrom,
  randomVector,
  under,
} from "../../../src/testing/store-contract/corpus.js";
import { storeFolder, type StoreFolder } from "../../support/store-in-folder.js";

const signal = new AbortController().signal;

async function diskBytes(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  return bytes;
}

describe("the folder of a lancedb store", () => {
  let folder: StoreFolder;
  beforeEach(async () => (folder = await storeFolder()));
  afterEach(() => folder.remove());

  it("is not there until something is built", async () => {
    const store = await folder.open();
    expect(await store.readMeta()).toBeUndefined();
    expect(await store.version()).toBe("none");
    expect(await store.counts()).toEqual({ documents: 0, chunks: 0, vectors: 0 });
    await store.maintain(signal);
    await expect(access(join(folder.path, "data"))).rejects.toMatchObject({ code: "ENOENT" });
    await expect(store.write({ delete: ["a.md"] })).rejects.toMatchObject({ code: "KB_STORE_EMPTY" });
  });

  it("can be named by the option uri, by whatever name", async () => {
    const uri = join(folder.path, "db1");
    const [factory] = plugin.stores!;
    const store = await factory!.create({ uri }, pluginHost(folder.path, { signal }));
    await store.reset({ dimensions: 8, meta: { a: "1" } });
    await store.close();
    await expect(access(uri)).resolves.toBeUndefined();
  });

  it("stays small over many writes of single documents", async () => {
    // Without a time for readers, so that what a write leaves behind can go at once.
    const store = new LanceDbStore(new Database(folder.path, 0));
    await store.reset({ dimensions: 8, meta: {} });
    const documents = randomDocuments(95, 40);
    await store.write({ put: documents });
    const sizes: number[] = [];
    for (let round = 0; round < 120; round++) {
      await store.write({ put: [documents[round % documents.length]!] });
      if (round % 5 === 4) await store.maintain(signal);
      if (round % 40 === 39) sizes.push(await diskBytes(folder.path));
    }
    await assertSame(store, documents);
    await store.close();
    const [first, ...later] = sizes;
    for (const size of later) expect(size).toBeLessThan(2 * first!);
    expect(Math.max(...sizes)).toBeLessThan(2 * 1024 * 1024);
  }, 120_000);

  it("does not keep what many small writes replaced, though the indexes are not behind", async () => {
    const store = new LanceDbStore(new Database(folder.path, 0));
    await store.reset({ dimensions: 8, meta: {} });
    const documents = randomDocuments(96, 150);
    await store.write({ put: documents });
    await store.maintain(signal);
    // One more fragment, and versions that add neither fragments nor rows.
    await store.write({ put: documents.slice(0, 1) });
    for (const { document } of documents.slice(1, 41)) await store.write({ delete: [document.path] });
    const versions = async (): Promise<number> =>
      (await readdir(join(folder.path, "chunks.lance", "_versions"))).length;
    expect(await versions()).toBeGreaterThan(32);
    await store.maintain(signal);
    expect(await versions()).toBeLessThan(5);
    await assertSame(store, [...documents.slice(0, 1), ...documents.slice(41)]);
    await store.close();
  }, 60_000);

  it("takes little more room after many writes and maintenance than an index made at once", async () => {
    const documents = randomDocuments(94, 100);
    const sizes: number[] = [];
    for (const step of [documents.length, 1]) {
      const path = join(folder.path, `by ${step}`);
      const store = new LanceDbStore(new Database(path, 0));
      await store.reset({ dimensions: 8, meta: {} });
      await store.write({ put: documents });
      for (let at = 0; step === 1 && at < 200; at++)
        await store.write({ put: [documents[at % documents.length]!] });
      // What the first leaves behind, having replaced it, the second frees.
      for (let round = 0; round < 2; round++) await store.maintain(signal);
      await assertSame(store, documents);
      await store.close();
      sizes.push(await diskBytes(path));
    }
    expect(sizes[1]).toBeLessThan(2 * sizes[0]!);
  }, 120_000);

  it("gives errors that hold no path of the machine when a file is damaged, and takes a reset", async () => {
    const store = await folder.open();
    await store.reset({ dimensions: 8, meta: {} });
    await store.write({ put: randomDocuments(96, 10) });
    await store.close();
    const data = join(folder.path, "data", "index", "chunks.lance", "data");
    for (const file of await readdir(data)) await truncate(join(data, file), 50);
    const damaged = await folder.open();
    const error: unknown = await damaged.documentChunks("a.md").catch((caught: unknown) => caught);
    expect(isKbError(error) && error.code).toBe("KB_STORE_CORRUPT");
    expect(String(error)).not.toContain(folder.path);
    expect(error).toHaveProperty("cause");
    await damaged.reset({ dimensions: 8, meta: {} });
    await damaged.write({ put: randomDocuments(97, 5) });
    expect((await damaged.counts()).documents).toBe(5);
  });

  it("holds no index when a table is missing", async () => {
    for (const table of ["meta", "chunks", "documents", "lexicon"]) {
      const store = await folder.open();
      await store.reset({ dimensions: 8, meta: {} });
      await store.close();
      await rm(join(folder.path, "data", "index", `${table}.lance`), { recursive: true });
      expect(await (await folder.open()).readMeta()).toBeUndefined();
    }
  });
});

describe("the lancedb store", () => {
  let folder: StoreFolder;
  beforeEach(async () => (folder = await storeFolder()));
  afterEach(() => folder.remove());

  it("finds the same by vector with an index over the vectors as without", async () => {
    const store = await folder.open();
    await store.reset({ dimensions: 8, meta: {} });
    const random = randomFrom(98);
    const documents = longDocuments(12, 220);
    await store.write({ put: documents.slice(0, 10) });
    const check = async (stored: DocumentWrite[]): Promise<void> => {
      const all = chunksOf(stored);
      for (const filter of [{}, { minQuality: 0.9 }]) {
        const vector = randomVector(random);
        assertRanking(await store.vectorSearch(vector, 50, filter), nearest(all, vector, filter), 50, "hits");
      }
    };
    await check(documents.slice(0, 10));
    await store.maintain(signal);
    const tables = await new Database(join(folder.path, "data", "index")).tables();
    expect(await tables?.chunks.indexStats("vector_idx")).toMatchObject({ numIndices: 1 });
    await check(documents.slice(0, 10));
    // Rows the index does not cover, rows it covers that are gone.
    await store.write({ put: documents.slice(8), delete: [documents[0]!.document.path] });
    await check(documents.slice(1));
    await store.maintain(signal);
    await check(documents.slice(1));
  });

  it("looks through the text of all chunks once for a phrase, and anew after a commit", async () => {
    const store = await folder.open();
    await store.reset({ dimensions: 8, meta: {} });
    const [first, second] = randomDocuments(97, 2).map((write, index) => ({
      ...write,
      document: { ...write.document, path: `${index}.md`, pathKey: `${index}.md` },
      chunks: write.chunks
        .slice(0, 1)
        .map((chunk) => ({ ...chunk, path: `${index}.md`, contentKey: "moss" })),
    }));
    await store.write({ put: [first!] });
    const filter = { contentIncludes: ["moss"] };
    const paths = async (): Promise<string[]> =>
      (await store.filteredChunks(filter, 10)).map(({ path }) => path);
    expect(await paths()).toEqual(["0.md"]);
    await store.write({ put: [second!] });
    expect(await paths()).toEqual(["0.md", "1.md"]);
    const changed = first!.chunks.map((chunk) => ({ ...chunk, contentKey: "rain" }));
    await store.write({ put: [{ ...first!, chunks: changed }] });
    expect(await paths()).toEqual(["1.md"]);
    expect(await store.filteredChunks({ contentIncludes: ["fern"] }, 10)).toEqual([]);
    expect(await store.filteredChunks({ contentIncludes: ["moss", "rain"] }, 10)).toEqual([]);
  });

  it("finds what an exclusion leaves where it leaves little", async () => {
    const store = await folder.open();
    await store.reset({ dimensions: 8, meta: {} });
    const next = randomFrom(98);
    const documents = randomDocuments(98, 700).map((write, index) => ({
      ...write,
      chunks: write.chunks.slice(0, 1).map((chunk) => ({
        ...chunk,
        contentKey: index % 100 === 7 ? "rain" : "moss",
        terms: { text: ["note"], title: [], bigrams: [] },
        vector: randomVector(next),
      })),
    }));
    await store.write({ put: documents });
    const rare = documents.filter(
      (_write, index) => index % 100 === 7 && documents[index]!.chunks.length > 0,
    );
    const expected = rare.map(({ document }) => document.path).sort();
    const filter = { contentExcludes: ["moss"] };
    const query = { clauses: [{ field: "text", terms: ["note"], weight: 1 }] } as const;
    const byWords = await store.textSearch(query, 100, filter);
    const byVector = await store.vectorSearch(randomVector(next), 100, filter);
    expect(expected.length).toBeGreaterThan(3);
    expect(byWords.map(({ path }) => path).sort()).toEqual(expected);
    expect(byVector.map(({ path }) => path).sort()).toEqual(expected);
  });

  it("loads LanceDB only when it is needed", async () => {
    const script = `
      import { createRequire } from "node:module";
      const { default: plugin } = await import(process.argv[1]);
      const host = { dataDirectory: process.argv[2], logger: console, signal: new AbortController().signal };
      const store = await plugin.stores[0].create({}, host);
      await store.readMeta();
      const loaded = Object.keys(createRequire(import.meta.url).cache ?? {});
      process.stdout.write(String(loaded.filter((file) => file.includes("lancedb")).length));
    `;
    const module = fileURLToPath(new URL("../../../dist/plugins/stores/lancedb/index.js", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--input-type=module",
      "--eval",
      script,
      module,
      folder.path,
    ]);
    // The plugin's own folder is called lancedb too, but ES modules are not in this cache.
    expect(stdout).toBe("0");
  });

  it("refuses options it does not know", async () => {
    const { validate } = plugin.stores![0]!.optionsSchema!["~standard"];
    expect(await validate({ uri: "/data/index" })).toEqual({ value: { uri: "/data/index" } });
    expect(await validate({})).toEqual({ value: {} });
    expect(await validate({ url: "/data/index" })).toMatchObject({ issues: [{ path: ["url"] }] });
    expect(await validate({ uri: 3 })).toMatchObject({ issues: [{ path: ["uri"] }] });
    expect(await validate("./index")).toHaveProperty("issues");
  });

  it("fails after it was closed", async () => {
    const store: VectorStore = await folder.open();
    await store.reset({ dimensions: 8, meta: {} });
    await store.close();
    await expect(store.counts()).rejects.toMatchObject({ code: "KB_STORE_FAILED" });
    await expect(store.write({ delete: ["a.md"] })).rejects.toMatchObject({ code: "KB_STORE_FAILED" });
  });
});

/** Documents with many chunks, so that there are enough vectors for an index. */
function longDocuments(count: number, chunkCount: number): DocumentWrite[] {
  const random = randomFrom(99);
  const pattern = randomDocuments(99, 20).find(({ chunks }) => chunks.length > 0)!;
  return Array.from({ length: count }, (_, index) =>
    under(`long/${index}.md`, {
      document: { ...pattern.document, chunkCount, declinedCount: 0 },
      chunks: Array.from({ length: chunkCount }, (_, position) => ({
        ...pattern.chunks[0]!,
        position,
        quality: random.below(11) / 10,
        terms: { text: [everywhere, `word${random.below(50)}`], title: [], bigrams: [] },
        vector: random.next() < 0.05 ? null : randomVector(random),
      })),
    }),
  );
}
