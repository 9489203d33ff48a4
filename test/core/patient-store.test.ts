import { describe, expect, it } from "@jest/globals";
import { lazy } from "../../src/core/lazy.js";
import { createLogger } from "../../src/core/logger.js";
import { createPatientStore } from "../../src/core/patient-store.js";
import { KbError, type VectorStore } from "../../src/core/plugin-api.js";
import { indexDocuments } from "../support/indexed-documents.js";
import { memoryStore } from "../support/memory-store.js";

const never = new AbortController().signal;

function patient(create: () => VectorStore | Promise<VectorStore>, closing = never, patienceMs?: number) {
  const lines: string[] = [];
  const logger = createLogger("info", (line) => lines.push(line));
  return { store: createPatientStore(lazy(create), { id: "shelf", logger, closing }, patienceMs), lines };
}

describe("a store that a plugin makes", () => {
  it("is waited for so long, then refused at once until it is open", async () => {
    let open!: (store: VectorStore) => void;
    const opening = new Promise<VectorStore>((resolve) => (open = resolve));
    const { store } = patient(() => opening, never, 20);
    for (let round = 0; round < 2; round++)
      await expect(store.get()).rejects.toMatchObject({
        code: "KB_STORE_FAILED",
        message: 'The store "shelf" did not open within 1 s',
      });
    open(memoryStore());
    await opening;
    await new Promise(setImmediate);
    expect(await (await store.get()).readMeta()).toBeUndefined();
  });

  it("is not waited for when kb-mcp closes", async () => {
    const closing = new AbortController();
    const { store } = patient(() => new Promise(() => undefined), closing.signal);
    const opening = store.get();
    closing.abort();
    await expect(opening).rejects.toMatchObject({ code: "KB_CANCELLED" });
  });

  it("is opened again by the next who asks where opening it failed", async () => {
    let times = 0;
    const { store } = patient(() => {
      if (++times === 1) throw new KbError("KB_STORE_CORRUPT", "It is damaged");
      return memoryStore();
    });
    await expect(store.get()).rejects.toMatchObject({ code: "KB_STORE_CORRUPT" });
    expect(await (await store.get()).counts()).toMatchObject({ documents: 0 });
  });

  it("answers as it does, while its own errors become those of a store and go to the log", async () => {
    const writes = await indexDocuments([{ path: "a.md", chunks: ["Moss grows slowly."] }]);
    const inner = memoryStore(writes);
    const { store, lines } = patient(() => Object.freeze({ ...inner, close: () => Promise.resolve() }));
    const guarded = await store.get();
    expect(await guarded.chunks([{ path: "a.md", position: 0 }], ["content"])).toEqual([
      { content: "Moss grows slowly." },
    ]);
    const paths: string[] = [];
    for await (const batch of guarded.documents(["path"])) paths.push(...batch.map(({ path }) => path));
    expect(paths).toEqual(["a.md"]);
    expect(lines).toEqual([]);
  });

  it.each<[string, Partial<VectorStore>, (store: VectorStore) => Promise<unknown>]>([
    ["rejects", { counts: () => Promise.reject(new Error("lost\nat /home/x")) }, (store) => store.counts()],
    [
      "throws",
      {
        textSearch() {
          throw new TypeError("lost");
        },
      },
      (store) => store.textSearch({ clauses: [] }, 1),
    ],
    [
      "breaks off",
      {
        async *documents() {
          yield await Promise.resolve([]);
          throw new Error("lost");
        },
      },
      async (store) => {
        for await (const batch of store.documents(["path"])) expect(batch).toEqual([]);
      },
    ],
  ])("is named where a method %s", async (_, flawed, ask) => {
    const { store, lines } = patient(() => ({ ...memoryStore(), ...flawed }));
    const [method] = Object.keys(flawed);
    await expect(ask(await store.get())).rejects.toMatchObject({
      code: "KB_STORE_FAILED",
      message: `The store "shelf" failed in ${method}`,
      cause: expect.objectContaining({ message: expect.stringContaining("lost") }),
    });
    expect(lines).toEqual([`kb-mcp error: the store "shelf" failed in ${method}: lost`]);
  });

  it("keeps an error that has a code", async () => {
    const error = new KbError("KB_STORE_CORRUPT", "It is damaged");
    const { store, lines } = patient(() => ({ ...memoryStore(), counts: () => Promise.reject(error) }));
    await expect((await store.get()).counts()).rejects.toBe(error);
    expect(lines).toEqual([]);
  });
});
