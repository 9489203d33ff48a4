// Several processes at one index: what one of them leaves behind, the others must see. Other processes are stores of
// their own on the same folder; one that is killed is a real process.
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { DocumentWrite, VectorStore } from "../../../src/core/plugin-api.js";
import { indexDocuments } from "../../support/indexed-documents.js";
import { storeFolder, type StoreFolder } from "../../support/store-in-folder.js";
import { runModule } from "../../support/run-module.js";

let folder: StoreFolder;
beforeEach(async () => (folder = await storeFolder()));
afterEach(() => folder.remove());

const documents = (texts: Readonly<Record<string, string>>): Promise<DocumentWrite[]> =>
  indexDocuments(Object.entries(texts).map(([path, text]) => ({ path, chunks: [text] })));
const begin = async (store: VectorStore, texts: Readonly<Record<string, string>>): Promise<void> => {
  await store.reset({ dimensions: 4, meta: {} });
  await store.write({ put: await documents(texts) });
};

/** A process that is killed between the chunks of its write and their term statistics. */
const cutShort = (write: DocumentWrite, dataDirectory: string): string => `
  import { Lexicon } from "./dist/plugins/stores/lancedb/lexicon.js";
  import plugin from "./dist/plugins/stores/lancedb/index.js";
  const quiet = () => undefined;
  const store = await plugin.stores[0].create({}, {
    dataDirectory: ${JSON.stringify(dataDirectory)},
    logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    signal: new AbortController().signal,
  });
  // As kill -9 does, at this very place: nothing more is written, and nothing is tidied up.
  Lexicon.prototype.append = () => process.exit(0);
  await store.write({ put: [${JSON.stringify(write)}] });
`;

describe("a store whose index another process", () => {
  it("left in the middle of a write has the right statistics after its own next write", async () => {
    const store = await folder.open();
    await begin(store, { "a.md": "oldword alpha", "b.md": "alpha" });
    const [changed] = await documents({ "a.md": "newword newword" });
    await runModule(cutShort(changed!, join(folder.path, "data")));
    await store.write({ put: await documents({ "a.md": "newword newword" }) });
    expect(await store.documentFrequencies(["oldword", "newword", "alpha"])).toEqual([0, 1, 1]);
    const other = await folder.open();
    expect(await other.documentFrequencies(["oldword", "newword", "alpha"])).toEqual([0, 1, 1]);
  });

  it("removed and built anew, to the same version numbers, shows the new one", async () => {
    const reader = await folder.open();
    await begin(await folder.open(), { "a.md": "alpha beta", "b.md": "alpha" });
    const [before] = await reader.documentsAt(["a.md"]);
    expect(before?.title).toBe("a.md");
    expect(await reader.documentFrequencies(["alpha", "gamma"])).toEqual([2, 0]);
    const version = await reader.version();
    await reader.counts();

    await rm(join(folder.path, "data"), { recursive: true });
    const [first, ...others] = await documents({ "a.md": "gamma", "c.md": "gamma", "d.md": "alpha gamma" });
    const builder = await folder.open();
    await builder.reset({ dimensions: 4, meta: {} });
    await builder.write({ put: [{ ...first!, document: { ...first!.document, title: "New" } }, ...others] });

    expect(await reader.version()).not.toBe(version);
    expect(await reader.counts()).toMatchObject({ documents: 3, chunks: 3 });
    expect(await reader.documentsAt(["a.md"])).toMatchObject([{ title: "New" }]);
    expect(await reader.documentFrequencies(["alpha", "gamma"])).toEqual([1, 3]);
  });

  it("removed has none", async () => {
    const store = await folder.open();
    await begin(store, { "a.md": "alpha" });
    await rm(join(folder.path, "data"), { recursive: true });
    expect(await store.readMeta()).toBeUndefined();
    await expect(store.write({ delete: ["a.md"] })).rejects.toMatchObject({ code: "KB_STORE_EMPTY" });
  });
});
