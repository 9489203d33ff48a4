// A small store in memory, right in everything, with faults that can be switched on: they show that the contract fails
// where it should.
import {
  KbError,
  type DocumentWrite,
  type ScoredChunk,
  type VectorStore,
} from "../../src/core/plugin-api.js";
import type { StoreUnderTest } from "../../src/testing/index.js";
import {
  chunksOf,
  filtered,
  frequencyOf,
  nearest,
  okapi,
} from "../../src/testing/store-contract/brute-force.js";

/** Ways to be wrong. */
export type Fault =
  /** Takes the k best of all chunks and filters them afterwards. */
  | "filters after the top k"
  /** A replaced document keeps chunks beyond the number of its new ones. */
  | "keeps old chunks"
  /** Adds clauses without their weights. */
  | "ignores weights"
  /** Delivers chunks in the order they are stored in. */
  | "forgets the order of keys"
  /** Finds chunks without a vector, with a similarity of 0. */
  | "finds null vectors"
  /** Leaves equal scores in the order of writing. */
  | "leaves ties to chance"
  /** The version stays what it was at the last reset. */
  | "keeps its version"
  /** Puts a batch in place chunk by chunk. */
  | "writes in steps";

interface Contents {
  dimensions: number;
  meta: Record<string, string> | undefined;
  documents: Map<string, DocumentWrite>;
  version: number;
}

/** What the store contract asks for. */
export function storeInMemory(fault?: Fault): StoreUnderTest {
  const contents: Contents = { dimensions: 0, meta: undefined, documents: new Map(), version: 0 };
  const open = (): VectorStore => openStore(contents, fault);
  return { store: open(), reopen: () => Promise.resolve(open()), dispose: () => Promise.resolve() };
}

function openStore(contents: Contents, fault: Fault | undefined): VectorStore {
  const all = (): ReturnType<typeof chunksOf> => chunksOf(contents.documents.values());
  const commit = (isReset = false): void => {
    if (isReset || fault !== "keeps its version") contents.version++;
  };
  const best = (
    ranked: (filter: typeof undefined | object) => ScoredChunk[],
    k: number,
    filter: object | undefined,
  ): ScoredChunk[] => {
    if (fault === "filters after the top k") {
      const passing = new Set(ranked(filter).map(idOf));
      return order(ranked(undefined), fault)
        .slice(0, k)
        .filter((hit) => passing.has(idOf(hit)));
    }
    return order(ranked(filter), fault).slice(0, k);
  };
  return {
    readMeta: () => Promise.resolve(contents.meta && { ...contents.meta }),
    reset({ dimensions, meta }) {
      Object.assign(contents, { dimensions, meta: { ...meta }, documents: new Map() });
      commit(true);
      return Promise.resolve();
    },
    writeMeta(entries) {
      Object.assign(contents.meta ?? {}, entries);
      commit();
      return Promise.resolve();
    },
    async write({ put = [], update = [], delete: remove = [] }) {
      const { documents } = contents;
      for (const { chunks } of put)
        for (const { vector } of chunks) if (vector !== null) checkLength(vector, contents.dimensions);
      for (const write of put) {
        const { document, chunks } = write;
        const before = documents.get(document.path)?.chunks ?? [];
        if (fault === "writes in steps")
          for (let at = 0; at < chunks.length; at++) {
            documents.set(document.path, { document, chunks: [...chunks.slice(0, at), ...before.slice(at)] });
            await new Promise(setImmediate);
          }
        const kept = fault === "keeps old chunks" ? before.slice(chunks.length) : [];
        documents.delete(document.path);
        documents.set(document.path, { document, chunks: [...chunks, ...kept] });
      }
      for (const document of update) {
        const stored = documents.get(document.path);
        if (stored !== undefined) documents.set(document.path, { ...stored, document });
      }
      for (const path of remove) documents.delete(path);
      commit();
    },
    async *documents(fields) {
      for (const { document } of [...contents.documents.values()]) {
        const chosen = fields.filter((field) => document[field] !== undefined);
        yield [Object.fromEntries(chosen.map((field) => [field, document[field]])) as never];
      }
      await Promise.resolve();
    },
    documentsAt: (paths) =>
      Promise.resolve(paths.flatMap((path) => contents.documents.get(path)?.document ?? [])),
    chunks(keys) {
      const chunks = all().map(({ chunk }) => chunk);
      if (fault === "forgets the order of keys") {
        const wanted = new Set(keys.map(idOf));
        return Promise.resolve(chunks.filter((chunk) => wanted.has(idOf(chunk))));
      }
      const byId = new Map(chunks.map((chunk) => [idOf(chunk), chunk]));
      return Promise.resolve(keys.flatMap((key) => byId.get(idOf(key)) ?? []));
    },
    documentChunks: (path) => Promise.resolve([...(contents.documents.get(path)?.chunks ?? [])]),
    textSearch(query, k, filter) {
      const clauses = query.clauses.map((clause) =>
        fault === "ignores weights" ? { ...clause, weight: 1 } : clause,
      );
      return Promise.resolve(best((passing) => okapi(all(), { clauses }, passing), k, filter));
    },
    async vectorSearch(vector, k, filter) {
      await Promise.resolve();
      checkLength(vector, contents.dimensions);
      const found = best((passing) => nearest(all(), vector, passing), k, filter);
      if (fault !== "finds null vectors") return found;
      const declined = all().flatMap(({ chunk: { path, position, vector: own } }) =>
        own === null ? [{ path, position, score: 0 }] : [],
      );
      return [...found, ...declined].sort((a, b) => b.score - a.score).slice(0, k);
    },
    filteredChunks(filter, k) {
      const keys = filtered(all(), filter).map(({ chunk: { path, position } }) => ({
        path,
        position,
        score: 0,
      }));
      return Promise.resolve(
        order(keys, fault)
          .slice(0, k)
          .map(({ path, position }) => ({ path, position })),
      );
    },
    documentFrequencies(terms) {
      const chunks = all().map(({ chunk }) => chunk);
      return Promise.resolve(terms.map((term) => frequencyOf(chunks, "text", term)));
    },
    counts() {
      const chunks = all();
      const vectors = chunks.filter(({ chunk }) => chunk.vector !== null).length;
      return Promise.resolve({ documents: contents.documents.size, chunks: chunks.length, vectors });
    },
    version: () => Promise.resolve(`${contents.version}`),
    maintain: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

function idOf({ path, position }: { path: string; position: number }): string {
  return `${position}/${path}`;
}

function order(hits: readonly ScoredChunk[], fault: Fault | undefined): ScoredChunk[] {
  if (fault === "leaves ties to chance") return [...hits];
  return [...hits].sort(
    (a, b) => b.score - a.score || (a.path === b.path ? a.position - b.position : a.path < b.path ? -1 : 1),
  );
}

function checkLength(vector: Float32Array, dimensions: number): void {
  if (vector.length !== dimensions) throw new KbError("KB_STORE_MISMATCH", "A vector of another length");
}
