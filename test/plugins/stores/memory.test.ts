import { describe, expect, it } from "@jest/globals";
import type { DocumentWrite, StoredChunk, VectorStore } from "../../../src/core/plugin-api.js";
import plugin from "../../../src/plugins/stores/memory/index.js";
import { storeContract } from "../../../src/testing/index.js";
import { randomDocuments, randomFrom, randomVector } from "../../../src/testing/store-contract/corpus.js";
import { pluginHost } from "../../support/plugin-host.js";
import { storeFolder } from "../../support/store-in-folder.js";

async function open(): Promise<VectorStore> {
  const [factory] = plugin.stores ?? [];
  if (factory === undefined) throw new Error("the plugin offers no store");
  return factory.create({}, pluginHost("/nowhere"));
}

async function filled(documents: readonly DocumentWrite[]): Promise<VectorStore> {
  const store = await open();
  await store.reset({ dimensions: 8, meta: {} });
  await store.write({ put: documents });
  return store;
}

describe("the memory store", () => {
  storeContract(
    async () => {
      const store = await open();
      return { store, dispose: () => store.close() };
    },
    { describe, it },
    { ephemeral: true },
  );

  it("says that it keeps nothing", () => {
    expect(plugin.stores?.map(({ id, ephemeral }) => ({ id, ephemeral }))).toEqual([
      { id: "memory", ephemeral: true },
    ]);
  });

  it("takes no write before the first reset and none after it was closed", async () => {
    const store = await open();
    const refused = { code: "KB_STORE_EMPTY" };
    await expect(store.write({})).rejects.toMatchObject(refused);
    await expect(store.writeMeta({ a: "1" })).rejects.toMatchObject(refused);
    await store.reset({ dimensions: 8, meta: {} });
    await store.close();
    await expect(store.write({})).rejects.toMatchObject(refused);
    expect(await store.readMeta()).toBeUndefined();
  });

  it("has versions that no other process has had", async () => {
    const [one, two] = await Promise.all([filled([]), filled([])]);
    expect(await one.version()).not.toBe(await two.version());
  });

  it("stores nothing of a batch that it refuses, and keeps its version", async () => {
    const [good, bad] = randomDocuments(1, 40).filter(({ chunks }) => chunks.length > 1);
    const store = await filled([good!]);
    const version = await store.version();
    const wrong = {
      ...bad!,
      chunks: bad!.chunks.map((chunk) => ({ ...chunk, vector: new Float32Array(9) })),
    };
    await expect(store.write({ put: [wrong], delete: [good!.document.path] })).rejects.toMatchObject({
      code: "KB_STORE_MISMATCH",
    });
    expect(await store.documentsAt([good!.document.path])).toEqual([good!.document]);
    expect(await store.version()).toBe(version);
  });

  it("is not changed by what happens to the values it was given", async () => {
    const given = structuredClone(randomDocuments(2, 10));
    const expected = structuredClone(given);
    const meta = { kept: "yes" };
    const store = await open();
    await store.reset({ dimensions: 8, meta });
    await store.write({ put: given });
    meta.kept = "no";
    for (const { document, chunks } of given) {
      spoil(document);
      for (const chunk of chunks) spoil(chunk);
    }
    expect({ ...(await store.readMeta()) }).toEqual({ kept: "yes" });
    await expectHeld(store, expected);
  });

  it("is not changed by what happens to the values it gave", async () => {
    const documents = randomDocuments(3, 10);
    const store = await filled(documents);
    for (const { document, chunks } of documents) {
      for (const given of [
        ...(await store.documentsAt([document.path])),
        ...(await store.documentChunks(document.path)),
        ...(await store.chunks(chunks)),
        ...(await store.chunks(chunks, ["vector", "terms"])),
      ])
        spoil(given);
    }
    await expectHeld(store, documents);
  });

  it("searches what was there when the search began", async () => {
    // Enough for a search to give other work a turn.
    const store = await filled(randomDocuments(4, 6000));
    const vector = randomVector(randomFrom(5));
    const before = await store.vectorSearch(vector, 50);
    let ended = false;
    const during = store.vectorSearch(vector, 50).finally(() => (ended = true));
    // A commit takes effect before its promise settles, so the search has not gone on meanwhile.
    await store.reset({ dimensions: 3, meta: {} });
    expect(ended).toBe(false);
    expect(await during).toEqual(before);
  });

  it("finds what the lancedb store finds", async () => {
    const documents = randomDocuments(6, 200);
    const memory = await filled(documents);
    const folder = await storeFolder();
    try {
      const lance = await folder.open();
      await lance.reset({ dimensions: 8, meta: {} });
      await lance.write({ put: documents });
      const random = randomFrom(7);
      for (let round = 0; round < 25; round++) {
        const word = (): string => `word${random.below(60)}`;
        const query = {
          clauses: [
            { field: "text", terms: [word(), word(), word()], weight: 1 },
            { field: "title", terms: [word(), word()], weight: 0.4 },
            { field: "bigrams", terms: [word()], weight: 0.1 },
          ],
        } as const;
        const filter = random.pick([{}, { topicKey: "ops" }, { pathIncludes: [".*o'b.*"], minQuality: 0.4 }]);
        const vector = randomVector(random);
        for (const search of [
          (store: VectorStore) => store.textSearch(query, 20, filter),
          (store: VectorStore) => store.vectorSearch(vector, 20, filter),
        ]) {
          const [ours, theirs] = await Promise.all([search(memory), search(lance)]);
          expect(ours.map(({ path, position }) => ({ path, position }))).toEqual(
            theirs.map(({ path, position }) => ({ path, position })),
          );
          ours.forEach(({ score }, rank) => expect(score).toBeCloseTo(theirs[rank]!.score, 4));
        }
      }
    } finally {
      await folder.remove();
    }
  });
});

async function expectHeld(store: VectorStore, documents: readonly DocumentWrite[]): Promise<void> {
  for (const { document, chunks } of documents) {
    expect(await store.documentsAt([document.path])).toEqual([document]);
    expect(await store.documentChunks(document.path)).toEqual(chunks);
  }
  const all = documents.flatMap(({ chunks }) => chunks);
  const holding = (term: string): StoredChunk[] => all.filter(({ terms }) => terms.text.includes(term));
  expect(await store.documentFrequencies(["word1", "spoilt"])).toEqual([holding("word1").length, 0]);
}

/** Changes whatever lets itself be changed. */
function spoil(value: object): void {
  for (const [key, inner] of Object.entries(value)) {
    if (inner instanceof Float32Array) inner.fill(0);
    else if (Array.isArray(inner)) attempt(() => inner.push("spoilt"));
    else if (typeof inner === "object" && inner !== null) spoil(inner as object);
    attempt(() => Object.assign(value, { [key]: "spoilt" }));
  }
}

function attempt(change: () => unknown): void {
  try {
    change();
  } catch (error) {
    // It is frozen.
    expect((error as Error).name).toBe("TypeError");
  }
}
