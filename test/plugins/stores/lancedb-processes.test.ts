import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { randomDocuments } from "../../../src/testing/store-contract/corpus.js";
import { assertSame } from "../../../src/testing/store-contract/assert-same.js";
import { storeFolder, type StoreFolder } from "../../support/store-in-folder.js";

describe("two lancedb stores on one folder", () => {
  let folder: StoreFolder;
  beforeEach(async () => (folder = await storeFolder()));
  afterEach(() => folder.remove());

  it("show each other's commits at once, under a new version", async () => {
    const [writer, reader] = [await folder.open(), await folder.open()];
    expect(await reader.readMeta()).toBeUndefined();
    await writer.reset({ dimensions: 8, meta: { a: "1" } });
    expect(await reader.readMeta()).toEqual({ a: "1" });
    const documents = randomDocuments(91, 20);
    for (const write of [documents.slice(0, 10), documents.slice(10)]) {
      const before = await reader.version();
      await writer.write({ put: write });
      expect(await reader.version()).not.toBe(before);
      expect(await reader.version()).toBe(await writer.version());
    }
    await assertSame(reader, documents);
    await writer.maintain(new AbortController().signal);
    await writer.write({ delete: documents.slice(0, 5).map(({ document }) => document.path) });
    await assertSame(reader, documents.slice(5));
  });

  it("follow a reset to vectors of another length", async () => {
    const [writer, reader] = [await folder.open(), await folder.open()];
    await writer.reset({ dimensions: 8, meta: { a: "1" } });
    await writer.write({ put: randomDocuments(92, 10) });
    expect((await reader.counts()).documents).toBe(10);
    const before = await reader.version();
    await writer.reset({ dimensions: 3, meta: { b: "2" } });
    expect(await reader.readMeta()).toEqual({ b: "2" });
    expect(await reader.version()).not.toBe(before);
    expect(await reader.counts()).toEqual({ documents: 0, chunks: 0, vectors: 0 });
    expect(await reader.vectorSearch(Float32Array.of(1, 0, 0), 5)).toEqual([]);
  });

  it("let another process write on where the first one ended", async () => {
    const [first, second] = [await folder.open(), await folder.open()];
    const documents = randomDocuments(93, 12);
    await first.reset({ dimensions: 8, meta: {} });
    await first.write({ put: documents.slice(0, 6) });
    await second.write({ put: documents.slice(6) });
    await first.write({ delete: [documents[0]!.document.path] });
    await assertSame(second, documents.slice(1));
  });
});
