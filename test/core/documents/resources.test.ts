import { describe, expect, it } from "@jest/globals";
import type { LoadDependencies } from "../../../src/core/documents/load-document.js";
import { createParserRegistry } from "../../../src/core/documents/parser-registry.js";
import { createResources, type Resources } from "../../../src/core/documents/resources.js";
import { limits } from "../../../src/core/limits.js";
import type { VectorStore } from "../../../src/core/plugin-api.js";
import { indexDocuments } from "../../support/indexed-documents.js";
import { memoryStore } from "../../support/memory-store.js";

const registry = createParserRegistry([
  {
    id: "md",
    version: "1",
    extensions: ["md"],
    mediaType: "text/markdown",
    binary: false,
    owner: "kb-mcp",
    moduleUrl: "file:///nowhere",
    options: {},
  },
]);

/** Nothing is read from disk here. */
const resourcesOver = (store: VectorStore): Resources =>
  createResources(() => Promise.resolve(store), { registry } as LoadDependencies);

async function storeOf(...documents: { path: string; title?: string }[]): Promise<VectorStore> {
  return memoryStore(await indexDocuments(documents.map((document) => ({ ...document, chunks: ["x"] }))));
}

const signal = new AbortController().signal;
const topicText = async (store: VectorStore, uri: string): Promise<string> =>
  (await resourcesOver(store).read(uri, signal)).text;

describe("the servable set behind resources", () => {
  it("is asked for again after a failure, although the index has not changed", async () => {
    const store = await storeOf({ path: "ops/a.md" });
    let failures = 1;
    const resources = resourcesOver({
      ...store,
      documents(fields) {
        if (failures-- > 0) throw new Error("the disk was away for a moment");
        return store.documents(fields);
      },
    });
    await expect(resources.list()).rejects.toThrow("the disk was away");
    expect((await resources.list()).map(({ topic }) => topic)).toEqual(["ops"]);
  });

  it("is worked out once for each version of the index", async () => {
    const store = await storeOf({ path: "ops/a.md" });
    let looks = 0;
    const resources = resourcesOver({
      ...store,
      documents(fields) {
        looks++;
        return store.documents(fields);
      },
    });
    for (let time = 0; time < 3; time++) await resources.complete("", 10);
    expect(looks).toBe(1);
    await store.write({ put: await indexDocuments([{ path: "guide/b.md", chunks: ["y"] }]) });
    expect(await resources.complete("", 10)).toEqual({ paths: ["guide/b.md", "ops/a.md"], total: 2 });
    expect(looks).toBe(2);
  });
});

describe("the completion of paths", () => {
  it("compares without case and width, and gives the names as they are", async () => {
    const resources = resourcesOver(await storeOf({ path: "Ops/A.md" }, { path: "メモ/b.md" }));
    expect(await resources.complete("ops/a", 10)).toEqual({ paths: ["Ops/A.md"], total: 1 });
    expect(await resources.complete("ﾒﾓ", 10)).toEqual({ paths: ["メモ/b.md"], total: 1 });
  });
});

describe("the one spelling of a URI", () => {
  it.each([
    ["kb://doc/a b/メモ.md", "kb://doc/a%20b/%E3%83%A1%E3%83%A2.md"],
    ["KB://Doc/a%20b%2Fメモ.md", "kb://doc/a%20b/%E3%83%A1%E3%83%A2.md"],
    ["kb://topic/a b", "kb://topic/a%20b"],
  ])("of %s is %s", async (uri, canonical) => {
    const resources = resourcesOver(await storeOf({ path: "a b/メモ.md" }));
    expect(await resources.canonicalUri(uri)).toBe(canonical);
  });

  it.each(["kb://doc/absent.md", "kb://topic/absent", "kb://topic/"])(
    "is refused for %s, which is not offered",
    async (uri) => {
      const resources = resourcesOver(await storeOf({ path: "a b/メモ.md" }));
      await expect(resources.canonicalUri(uri)).rejects.toMatchObject({ code: "KB_READ_NOT_SERVABLE" });
    },
  );
});

describe("the text of a topic", () => {
  it("is cut with a notice where it would be longer than a read returns", async () => {
    const title = "A long title of a document ".repeat(20).trim();
    const many = Array.from({ length: 3000 }, (_, i) => ({ path: `ops/${i}.md`, title }));
    const text = await topicText(await storeOf(...many), "kb://topic/ops");
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limits.readTextBytes);
    const shown = text.split("\n").filter((line) => line.startsWith("- ")).length;
    expect(shown).toBeGreaterThan(1000);
    expect(text).toContain(`; ${3000 - shown} of 3000 documents were left out`);
  });

  it("has one line for each document, whatever names and titles hold", async () => {
    const store = await storeOf(
      { path: "a/x\n- [y](kb: y.md", title: "x" },
      { path: "a/one.md", title: "One](kb://doc/two.md)\n- [Two" },
      { path: "a/two\u2028spaces  kept.md", title: "Two" },
    );
    const text = await topicText(store, "kb://topic/a");
    const links = [...text.matchAll(/(?<!\\)\]\((kb:[^)]+)\)/gu)].map(([, uri]) => uri);
    expect(text.trimEnd().split(/[\n\u2028]/u)).toHaveLength(2 + 3);
    expect(links).toHaveLength(3);
    expect(text).toContain("- [One\\](kb://doc/two.md) - \\[Two](kb://doc/a/one.md) a/one.md");
    expect(text).toContain("a/two spaces  kept.md");
  });
});
