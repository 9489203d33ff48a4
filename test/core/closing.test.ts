// A knowledge base with a part that hangs: closing it ends in spite of that, and no lease is left behind.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import type { KnowledgeBase } from "../../src/core/index.js";
import { createKnowledgeBase } from "../../src/core/knowledge-base.js";
import { lazy } from "../../src/core/lazy.js";
import { createLogger } from "../../src/core/logger.js";
import type { Embedder, Reranker, VectorStore } from "../../src/core/plugin-api.js";
import { registryOf, sharedParser } from "../support/assembled-knowledge-base.js";
import { letterEmbedder } from "../support/letter-embedder.js";
import { memoryStore } from "../support/memory-store.js";
import { withTemporaryFolder, writeTree } from "../support/temporary-folder.js";

// Made here: tests that run side by side do not wait for a beforeAll.
const parser = await sharedParser();
const registry = await registryOf(["md"]);
afterAll(() => parser.dispose());

interface Parts {
  embedder: () => Promise<Embedder>;
  store: () => Promise<VectorStore>;
  reranker: () => Promise<Reranker>;
}

/** @param hang what the part that hangs answers */
type Flaw = (hang: () => Promise<never>) => Partial<Parts>;

function baseWith(flaw: Partial<Parts>, folder: string, log: string[]): KnowledgeBase {
  const parts: Parts = {
    embedder: () => Promise.resolve(letterEmbedder()),
    store: () => Promise.resolve(memoryStore()),
    reranker: () =>
      Promise.resolve({
        rerank: (_, texts) => Promise.resolve(texts.map(() => 1)),
        dispose: () => Promise.resolve(),
      }),
    ...flaw,
  };
  return createKnowledgeBase({
    root: { path: join(folder, "kb") },
    registry,
    parser: {
      readText: (...args) => parser.readText(...args),
      readChunks: (...args) => parser.readChunks(...args),
      dispose: () => Promise.resolve(),
    },
    maxFileBytes: 1024 * 1024,
    indexDirectory: join(folder, "index"),
    excludeDirs: [],
    excludeHeadings: [],
    bestPracticeTemplates: [],
    store: lazy(parts.store, (made) => made.close()),
    embedder: lazy(parts.embedder, (made) => made.dispose()),
    embedderId: "letters",
    reranker: lazy(parts.reranker, (made) => made.dispose()),
    searchOptions: {
      minConfidence: 0.5,
      limit: 5,
      qualityFilter: { enabled: false, threshold: 0 },
      maxReplyTokens: 10_000,
    },
    logger: createLogger("warn", (line) => log.push(line)),
  });
}

const hanging: Readonly<Record<string, Flaw>> = {
  "an embedder that is being made": (hang) => ({ embedder: hang }),
  "an embedder that embeds": (hang) => ({
    embedder: () => Promise.resolve({ ...letterEmbedder(), embedDocuments: hang }),
  }),
  "a store that is being opened": (hang) => ({ store: hang }),
  "a store that writes": (hang) => ({ store: () => Promise.resolve({ ...memoryStore(), write: hang }) }),
};

describe("closing a knowledge base", () => {
  it.concurrent.each([
    ["an embedder that is being made", "closing: the embedder: did not end within 5 s"],
    ["an embedder that embeds", undefined],
    ["a store that is being opened", "closing: the store: did not end within 5 s"],
    ["a store that writes", "closing: what is under way: did not end within 5 s"],
  ])(
    "ends in spite of %s, and gives up the lease",
    (name, said) =>
      withTemporaryFolder(async (folder) => {
        await writeTree(folder, { "kb/a.md": "# Moss\n\nMoss grows slowly.\n" });
        const log: string[] = [];
        let arrive!: () => void;
        const arrived = new Promise<void>((resolve) => (arrive = resolve));
        const flaw = hanging[name]!(() => {
          arrive();
          return new Promise(() => undefined);
        });
        const knowledgeBase = baseWith(flaw, folder, log);
        const run = knowledgeBase.index();
        const ended = Promise.allSettled([run]);
        await arrived;
        expect(await readdir(join(folder, "index"))).toContain("writer.lease");
        await knowledgeBase.close();
        expect(await readdir(join(folder, "index"))).not.toContain("writer.lease");
        expect(log).toEqual(said === undefined ? [] : [`kb-mcp warn: ${said}`]);
        if (name !== "a store that writes")
          expect(await ended).toMatchObject([{ reason: { code: "KB_CANCELLED" } }]);
      }),
    13_000,
  );

  it.concurrent("ends every part, where one fails to end and another never does", () =>
    withTemporaryFolder(async (folder) => {
      await writeTree(folder, { "kb/a.md": "# Moss\n\nMoss grows slowly.\n" });
      const log: string[] = [];
      let isClosed = false;
      let arrive!: () => void;
      const arrived = new Promise<void>((resolve) => (arrive = resolve));
      const knowledgeBase = baseWith(
        {
          embedder: () =>
            Promise.resolve({
              ...letterEmbedder(),
              dispose: () => Promise.reject(new Error("it is stuck\nin a thread")),
            }),
          reranker: () => {
            arrive();
            return new Promise(() => undefined);
          },
          store: () =>
            Promise.resolve({
              ...memoryStore(),
              close() {
                isClosed = true;
                return Promise.resolve();
              },
            }),
        },
        folder,
        log,
      );
      await knowledgeBase.index();
      const searching = knowledgeBase.search({ query: "moss" });
      const refused = expect(searching).rejects.toMatchObject({ code: "KB_CANCELLED" });
      await arrived;
      await knowledgeBase.close();
      await refused;
      expect(isClosed).toBe(true);
      expect(log.sort()).toEqual([
        "kb-mcp warn: closing: the embedder: it is stuck",
        "kb-mcp warn: closing: the reranker: did not end within 5 s",
      ]);
    }),
  );

  it.concurrent("is not kept from telling its status by an embedder that is being made", () =>
    withTemporaryFolder(async (folder) => {
      await writeTree(folder, { "kb/a.md": "# Moss\n\nMoss grows slowly.\n" });
      const store = memoryStore();
      const first = baseWith({ store: () => Promise.resolve(store) }, folder, []);
      await first.index();
      const flaw = {
        store: () => Promise.resolve(store),
        embedder: () => new Promise<never>(() => undefined),
      };
      const knowledgeBase = baseWith(flaw, folder, []);
      expect(await knowledgeBase.status()).toMatchObject({
        overview: { documents: 1 },
        embedder_failure: { code: "KB_EMBED_TIMEOUT", message: "The embedder was not ready within 2 s" },
      });
      await first.close();
    }),
  );
});
