// An index that was built with another embedder, and an embedder that does not work: words go on being searched.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { GuardedParser } from "../../src/core/documents/guarded-parse.js";
import { KbError } from "../../src/core/errors.js";
import type { KnowledgeBase } from "../../src/core/index.js";
import type { Embedder, VectorStore } from "../../src/core/plugin-api.js";
import { assembleKnowledgeBase, registryOf, sharedParser } from "../support/assembled-knowledge-base.js";
import { letterEmbedder } from "../support/letter-embedder.js";
import { storeFolder, type StoreFolder } from "../support/store-in-folder.js";
import { writeTree } from "../support/temporary-folder.js";

type Settings = Partial<Parameters<typeof assembleKnowledgeBase>[1]>;

const rebuild = "kb-mcp index --force, or rebuild_index with force set to true";

let parser: GuardedParser;
let folder: StoreFolder;
let store: VectorStore;
let opened: KnowledgeBase[];
let compared: number;

beforeAll(async () => {
  parser = await sharedParser();
});
afterAll(() => parser.dispose());
beforeEach(async () => {
  folder = await storeFolder();
  opened = [];
  compared = 0;
  await writeTree(folder.path, {
    "kb/trips/kyoto.md": "# Kyoto\n\nWe saw the moss garden in the rain.\n",
    "kb/trips/oslo.md": "# Oslo\n\nThe ferry to the islands runs every hour.\n",
    "golden.yml": "queries:\n  - query: moss garden\n    expected:\n      - path: trips/kyoto.md\n",
  });
  store = await folder.open();
  const vectorSearch = store.vectorSearch.bind(store);
  store.vectorSearch = (...args) => {
    compared++;
    return vectorSearch(...args);
  };
  await (await open()).index();
});
afterEach(async () => {
  for (const knowledgeBase of opened) await knowledgeBase.close();
  await folder.remove();
});

/** The knowledge base as another process with these settings would open it. */
async function open(settings: Settings = {}): Promise<KnowledgeBase> {
  const registry = await registryOf(["md"]);
  const knowledgeBase = assembleKnowledgeBase(folder.path, { registry, parser, store, ...settings });
  opened.push(knowledgeBase);
  return knowledgeBase;
}
const openWith = (changes: Parameters<typeof letterEmbedder>[0]): Promise<KnowledgeBase> =>
  open({ embedder: () => letterEmbedder(changes) });
const failing = (changes: Partial<Embedder>) => (): Embedder => ({ ...letterEmbedder(), ...changes });
const broken = (code: "KB_MODEL_MISSING" | "KB_EMBED_SERVER") => (): Promise<never> =>
  Promise.reject(new KbError(code, "It is not there"));

describe("an index that another embedder built", () => {
  it.each([
    ["model", { model: "letter-pairs@2" }, "embedding model was letter-pairs@1, now letter-pairs@2"],
    ["dimensions", { dimensions: 32 }, "vector dimensions was 64, now 32"],
  ])("is searched by words, and says what to do, when the %s changed", async (_, changes, words) => {
    const knowledgeBase = await openWith(changes);
    const reply = await knowledgeBase.search({ query: "moss garden" });
    expect(reply.mode).toBe("lexical");
    expect(reply.results[0]?.path).toBe("trips/kyoto.md");
    expect(reply.notes).toEqual([
      `The index was built with other settings (${words}), so search uses words alone and changed files are not taken in: to search by meaning again, build it anew with ${rebuild}.`,
    ]);
    expect(compared).toBe(0);
    expect((await knowledgeBase.listTopics()).notes).toEqual(reply.notes);
  });

  it("needs no embedder to be told from one of another id", async () => {
    const knowledgeBase = await open({ embedderId: "others", embedder: broken("KB_MODEL_MISSING") });
    const reply = await knowledgeBase.search({ query: "moss garden" });
    expect(reply.results[0]?.path).toBe("trips/kyoto.md");
    expect(reply.notes).toEqual([expect.stringContaining("embedder was letters, now others")]);
  });

  it("is not written to without force, and says what changed", async () => {
    const knowledgeBase = await openWith({ model: "letter-pairs@2" });
    await expect(knowledgeBase.index()).rejects.toMatchObject({
      code: "KB_STORE_MISMATCH",
      message: expect.stringContaining("embedding model was letter-pairs@1, now letter-pairs@2"),
      hint: expect.stringContaining("kb-mcp index --force"),
    });
    expect((await knowledgeBase.status()).changed).toEqual([
      "embedding model was letter-pairs@1, now letter-pairs@2",
    ]);
  });

  it("is searched by meaning again after a forced run", async () => {
    const knowledgeBase = await openWith({ dimensions: 32 });
    await knowledgeBase.search({ query: "moss garden" });
    await knowledgeBase.index({ force: true });
    expect(await knowledgeBase.search({ query: "moss garden" })).toMatchObject({ mode: "hybrid", notes: [] });
    expect((await knowledgeBase.status()).changed).toBeUndefined();
  });

  it("stands aside too where another process builds it anew during a search", async () => {
    const knowledgeBase = await open();
    const search = store.vectorSearch.bind(store);
    store.vectorSearch = async (...args) => {
      const hits = await search(...args);
      await (await openWith({ model: "letter-pairs@2" })).index({ force: true });
      return hits;
    };
    const reply = await knowledgeBase.search({ query: "moss garden" });
    expect(reply.mode).toBe("lexical");
    expect(reply.notes.join()).toContain("embedding model was letter-pairs@2, now letter-pairs@1");
  });

  it("still has a connection graph, of the vectors that are stored", async () => {
    const before = await (await open()).connectionGraph({ start: "trips/kyoto.md", min_similarity: 0 });
    const knowledgeBase = await openWith({ dimensions: 32 });
    const reply = await knowledgeBase.connectionGraph({ start: "trips/kyoto.md", min_similarity: 0 });
    expect(reply.nodes).toEqual(before.nodes);
    expect(reply.notes).toEqual([
      expect.stringContaining(rebuild),
      expect.stringContaining("by the vectors that are stored"),
    ]);
  });

  it("is not evaluated", async () => {
    const golden = join(folder.path, "golden.yml");
    expect((await (await open()).evaluate({ golden })).measures?.fused.mrr).toBe(1);
    const history = await readFile(join(folder.path, "index", "eval-history.jsonl"), "utf8");
    await expect((await openWith({ target: 200 })).evaluate({ golden })).rejects.toMatchObject({
      code: "KB_STORE_MISMATCH",
      hint: expect.stringContaining("kb-mcp index --force"),
    });
    expect(await readFile(join(folder.path, "index", "eval-history.jsonl"), "utf8")).toBe(history);
  });
});

describe("an index that holds nothing, of a first run that failed", () => {
  it("gives way to other settings without force", async () => {
    await store.reset({ dimensions: 5, meta: { schema: "of another day", embedder: "gone" } });
    const knowledgeBase = await open();
    expect(await knowledgeBase.index()).toMatchObject({ added: 2, documents: 2 });
    expect((await knowledgeBase.search({ query: "moss garden" })).notes).toEqual([]);
  });
});

describe("an index with chunks of another size", () => {
  it("is searched as it is, with a note, and not written to", async () => {
    const knowledgeBase = await openWith({ target: 200 });
    const reply = await knowledgeBase.search({ query: "moss garden" });
    expect(reply.mode).toBe("hybrid");
    expect(reply.notes).toEqual([
      expect.stringMatching(
        /chunking was .*300-500, now .*200-500\): search goes on with it.*kb-mcp index --force/u,
      ),
    ]);
    await expect(knowledgeBase.index()).rejects.toMatchObject({ code: "KB_STORE_MISMATCH" });
  });
});

describe("an index with other headings left out", () => {
  it("is not searched, even where the embedder cannot be made", async () => {
    for (const settings of [{}, { embedder: broken("KB_MODEL_MISSING") }])
      await expect(
        (await open({ ...settings, excludeHeadings: ["Oslo"] })).search({ query: "moss" }),
      ).rejects.toMatchObject({
        code: "KB_STORE_MISMATCH",
        message: expect.stringContaining("exclude_headings"),
      });
  });
});

describe("an embedder that does not work", () => {
  it("leaves the words to be searched where it cannot be made, and is not made again with every search", async () => {
    let made = 0;
    const knowledgeBase = await open({
      embedder: () => {
        made++;
        return Promise.reject(new KbError("KB_MODEL_MISSING", "The model x is not on this machine"));
      },
    });
    for (let round = 0; round < 3; round++) {
      const reply = await knowledgeBase.search({ query: "moss garden" });
      expect(reply).toMatchObject({ mode: "lexical", results: [{ path: "trips/kyoto.md" }] });
      expect(reply.notes).toEqual([
        expect.stringMatching(
          /^The embedder failed \(KB_MODEL_MISSING: The model x is not on this machine\), so results come from words alone\. .*kb-mcp models pull/u,
        ),
      ]);
    }
    expect(made).toBe(1);
    expect((await knowledgeBase.status()).embedder_failure).toMatchObject({ code: "KB_MODEL_MISSING" });
  });

  it("leaves a note that changes are not in the index, until a run of any process has succeeded", async () => {
    let down = true;
    const embedder = letterEmbedder();
    const knowledgeBase = await open({
      embedder: () => ({
        ...embedder,
        embedDocuments: (texts, signal) =>
          down
            ? Promise.reject(new KbError("KB_EMBED_SERVER", "The server is down"))
            : embedder.embedDocuments(texts, signal),
      }),
    });
    await writeTree(folder.path, { "kb/trips/nara.md": "# Nara\n\nDeer walk in the park.\n" });
    await expect(knowledgeBase.index()).rejects.toMatchObject({ code: "KB_EMBED_SERVER" });
    const notes = async (): Promise<string[]> => (await knowledgeBase.search({ query: "moss garden" })).notes;
    const failed = [
      "The last index run failed (KB_EMBED_SERVER: The server is down): what has changed since may not be in the index. Run kb-mcp index, or rebuild_index.",
    ];
    expect([await notes(), await notes()]).toEqual([failed, failed]);
    await (await open()).index();
    expect(await notes()).toEqual([]);

    await writeTree(folder.path, { "kb/trips/nara.md": "# Nara\n\nDeer sleep in the park.\n" });
    await expect(knowledgeBase.index()).rejects.toMatchObject({ code: "KB_EMBED_SERVER" });
    expect(await notes()).toEqual(failed);
    down = false;
    await knowledgeBase.index();
    expect(await notes()).toEqual([]);
  });

  it("leaves the words to be searched where it fails on a query, and rests then", async () => {
    let asked = 0;
    const knowledgeBase = await open({
      embedder: failing({
        embedQuery: () => {
          asked++;
          return Promise.reject(new KbError("KB_EMBED_SERVER", "No whole answer from http://127.0.0.1:1"));
        },
      }),
    });
    for (let round = 0; round < 3; round++) {
      const { mode, notes } = await knowledgeBase.search({ query: "moss garden" });
      expect(mode).toBe("lexical");
      expect(notes).toEqual([
        expect.stringMatching(/KB_EMBED_SERVER: No whole answer.*Check that the server runs/u),
      ]);
    }
    expect(asked).toBe(1);
    await writeFile(join(folder.path, "kb", "new.md"), "# New\n\nThe embedder works for documents.\n");
    await knowledgeBase.index();
    await knowledgeBase.search({ query: "moss garden" });
    expect(asked).toBe(2);
  });

  it.each<[string, unknown, string]>([
    ["too few numbers", new Float32Array(32), "a vector of 32 numbers instead of 64"],
    ["nothing", undefined, "undefined instead of a Float32Array"],
    ["a list", Array.from({ length: 64 }, () => 0.125), "a list of 64 instead of a Float32Array"],
    ["other numbers", new Float64Array(64), "Float64Array instead of a Float32Array"],
    ["no numbers", new Float32Array(64).fill(NaN), "a vector that holds NaN"],
  ])("leaves the words to be searched where it answers a query with %s", async (_, answer, words) => {
    const knowledgeBase = await open({
      embedder: failing({ embedQuery: () => Promise.resolve(answer as Float32Array) }),
    });
    const { mode, results, notes } = await knowledgeBase.search({ query: "moss garden" });
    expect({ mode, path: results[0]?.path }).toEqual({ mode: "lexical", path: "trips/kyoto.md" });
    expect(notes).toEqual([
      expect.stringContaining(`KB_EMBED_FAILED: The embedder letter-pairs@1 answered a query with ${words}`),
    ]);
    expect(compared).toBe(0);
  });

  it("may answer with a vector of another realm", async () => {
    const foreign = runInNewContext("new Float32Array(64).fill(0.125)") as Float32Array;
    expect(foreign).not.toBeInstanceOf(Float32Array);
    const knowledgeBase = await open({
      embedder: failing({ embedQuery: () => Promise.resolve(foreign) }),
    });
    expect(await knowledgeBase.search({ query: "moss garden" })).toMatchObject({ mode: "hybrid", notes: [] });
  });

  it("stays an error where it is a defect", async () => {
    const knowledgeBase = await open({ embedder: () => Promise.reject(new TypeError("no such method")) });
    await expect(knowledgeBase.search({ query: "moss" })).rejects.toThrow("no such method");
  });

  it("does not hide that a search was cancelled", async () => {
    const stop = new AbortController();
    const knowledgeBase = await open({
      embedder: failing({
        embedQuery: () => {
          stop.abort();
          return new Promise(() => undefined);
        },
      }),
    });
    await expect(knowledgeBase.search({ query: "moss" }, stop.signal)).rejects.toMatchObject({
      code: "KB_CANCELLED",
    });
  });

  it("does not cost the old index in a forced run", async () => {
    const knowledgeBase = await open({
      embedder: () => ({
        ...letterEmbedder({ model: "letter-pairs@2", dimensions: 32 }),
        embedDocuments: () => Promise.reject(new KbError("KB_EMBED_KEY", "A key is needed")),
      }),
    });
    await expect(knowledgeBase.index({ force: true })).rejects.toMatchObject({ code: "KB_EMBED_KEY" });
    expect((await knowledgeBase.search({ query: "moss garden" })).results[0]?.path).toBe("trips/kyoto.md");
    expect((await (await open()).search({ query: "moss garden" })).mode).toBe("hybrid");
  });

  it("is no measure for later evaluations", async () => {
    const knowledgeBase = await open({
      embedder: failing({ embedQuery: () => Promise.reject(new KbError("KB_EMBED_SERVER", "It is down")) }),
    });
    const report = await knowledgeBase.evaluate({ golden: join(folder.path, "golden.yml") });
    expect(report).toMatchObject({ vector_aside: 1 });
    expect(report.notes).toEqual([
      "The embedder failed on some questions (KB_EMBED_SERVER: It is down), so this run was neither compared nor added to the history.",
    ]);
  });
});
