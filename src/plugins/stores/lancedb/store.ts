// The VectorStore of this plugin: puts its parts together, runs commits one after another and wraps errors.
import {
  KbError,
  type ChunkFilter,
  type ChunkKey,
  type ScoredChunk,
  type StoreCounts,
  type StoredChunk,
  type StoredDocument,
  type TextQuery,
  type VectorStore,
  type WriteBatch,
} from "../../../core/plugin-api.js";
import type { Table } from "@lancedb/lancedb";
import { readRows } from "./arrow-rows.js";
import { byKey } from "./candidates.js";
import { chunkFields, chunkId, chunkOf, columnsOf } from "./chunk-rows.js";
import { chunkColumns, documentColumns } from "./columns.js";
import type { Database, Tables } from "./database.js";
import { DocumentCache } from "./document-cache.js";
import { documentOf } from "./document-rows.js";
import { conditionsOf, type Conditions } from "./filter-sql.js";
import { Lexicon } from "./lexicon.js";
import { indexChunks, isPressing, maintain } from "./maintenance.js";
import { mergeMeta, readMeta } from "./meta.js";
import { PhraseRows } from "./phrase-rows.js";
import { Serial } from "./serial.js";
import { isOneOf, text } from "./sql.js";
import { asStoreError } from "./store-error.js";
import { tableVersion } from "./table-version.js";
import { textSearch } from "./text-search.js";
import { vectorSearch } from "./vector-search.js";
import { writeBatch } from "./write-batch.js";

export class LanceDbStore implements VectorStore {
  readonly #database: Database;
  readonly #lexicon: Lexicon;
  readonly #documents = new DocumentCache();
  readonly #phrases = new PhraseRows();
  readonly #commits = new Serial();
  /** Tables that were found to be of a completed index. */
  #known: Tables | undefined;
  /** Every search asks for the counts; of vectors they take a scan. */
  #counted: { readonly table: Table; readonly version: number; readonly counts: StoreCounts } | undefined;

  constructor(database: Database) {
    this.#database = database;
    this.#lexicon = new Lexicon(database);
  }

  readMeta(): Promise<Readonly<Record<string, string>> | undefined> {
    return this.#read("reading the metadata", undefined, ({ meta }) => readMeta(meta));
  }

  /** The metadata goes first and comes last: a reset cut short leaves an index that was never built. */
  reset(spec: {
    readonly dimensions: number;
    readonly meta: Readonly<Record<string, string>>;
  }): Promise<void> {
    return this.#commit("starting a new index", async () => {
      const database = this.#database;
      database.forget();
      const meta = await database.overwrite("meta", []);
      const chunks = await database.overwrite("chunks", [], spec.dimensions);
      await indexChunks(database, chunks);
      await database.overwrite("documents", []);
      await this.#lexicon.reset();
      await mergeMeta(database, meta, spec.meta);
    });
  }

  writeMeta(entries: Readonly<Record<string, string>>): Promise<void> {
    return this.#commit("writing the metadata", async () =>
      mergeMeta(this.#database, (await this.#built()).meta, entries),
    );
  }

  write(batch: WriteBatch): Promise<void> {
    return this.#commit("a write", async () => {
      const tables = await this.#built();
      await this.#lexicon.repair(tables);
      await writeBatch(this.#database, tables, this.#lexicon, batch);
      if (await isPressing(tables)) await maintain(this.#database, tables, this.#lexicon);
      await this.#lexicon.trust(tables);
    });
  }

  async *documents<Field extends keyof StoredDocument>(
    fields: readonly Field[],
  ): AsyncGenerator<readonly Pick<StoredDocument, Field>[]> {
    const what = "reading the documents";
    const query = await this.#read(what, undefined, ({ documents }) =>
      Promise.resolve(documents.query().select([...fields])),
    );
    if (query === undefined) return;
    try {
      for await (const batch of query)
        yield readRows(batch, documentColumns, fields).map((row) => documentOf<Field>(row));
    } catch (error) {
      throw asStoreError(what, error, this.#database.remote);
    }
  }

  documentsAt(paths: readonly string[]): Promise<StoredDocument[]> {
    if (paths.length === 0) return Promise.resolve([]);
    return this.#read("reading documents", [], ({ documents }) => this.#documents.at(documents, paths));
  }

  async chunks<Field extends keyof StoredChunk = keyof StoredChunk>(
    keys: readonly ChunkKey[],
    fields: readonly Field[] = chunkFields as readonly (keyof StoredChunk)[] as readonly Field[],
  ): Promise<Pick<StoredChunk, Field>[]> {
    if (keys.length === 0) return [];
    const ids = keys.map(chunkId);
    const wanted = new Set(ids);
    const read = [...fields, "path", "position"] as const;
    const found = await this.#chunksWhere(isOneOf("id", wanted), read, wanted.size);
    const byId = new Map(found.map((chunk) => [chunkId(chunk), chunk]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  async documentChunks(path: string): Promise<StoredChunk[]> {
    const chunks = await this.#chunksWhere(`path = ${text(path)}`, chunkFields);
    return chunks.sort((a, b) => a.position - b.position);
  }

  textSearch(query: TextQuery, k: number, filter?: ChunkFilter): Promise<ScoredChunk[]> {
    return this.#read("a search by words", [], async (tables) =>
      textSearch(
        await this.#database.lance(),
        tables,
        this.#lexicon,
        query,
        k,
        await this.#conditions(tables, filter),
      ),
    );
  }

  vectorSearch(vector: Float32Array, k: number, filter?: ChunkFilter): Promise<ScoredChunk[]> {
    return this.#read("a search by vector", [], async (tables) =>
      vectorSearch(tables, vector, k, await this.#conditions(tables, filter)),
    );
  }

  async filteredChunks(filter: ChunkFilter, k: number): Promise<ChunkKey[]> {
    const where = (tables: Tables) => this.#conditions(tables, filter).then(({ all }) => all);
    const keys = await this.#chunksWhere(where, ["path", "position"]);
    return keys.sort(byKey).slice(0, k);
  }

  documentFrequencies(terms: readonly string[]): Promise<number[]> {
    return this.#read(
      "counting terms",
      terms.map(() => 0),
      async (tables) => {
        const { frequencies } = await this.#lexicon.statistics(tables, terms);
        return terms.map((term) => frequencies(term).text);
      },
    );
  }

  counts(): Promise<StoreCounts> {
    return this.#read("counting", { documents: 0, chunks: 0, vectors: 0 }, async (tables) => {
      // Whatever a write changes, it ends with a commit to the documents.
      const table = tables.documents;
      const version = await tableVersion(table);
      if (this.#counted?.table === table && this.#counted.version === version) return this.#counted.counts;
      const [documents, chunks, vectors] = await Promise.all([
        tables.documents.countRows(),
        tables.chunks.countRows(),
        tables.chunks.countRows("hasVector"),
      ]);
      const counts = { documents, chunks, vectors };
      this.#counted = { table, version, counts };
      return counts;
    });
  }

  /**
   * LanceDB numbers the commits of each table; a write ends with one to the documents. The numbers start again where
   * tables are made anew, so the opening of the tables counts too.
   */
  version(): Promise<string> {
    return this.#read("reading the version", "none", async ({ meta, documents }) => {
      const versions = await Promise.all([tableVersion(meta), tableVersion(documents)]);
      return [this.#database.opened, ...versions].join(".");
    });
  }

  maintain(signal: AbortSignal): Promise<void> {
    return this.#commit("maintenance", async () => {
      const tables = await this.#database.tables();
      if (tables === undefined) return;
      await this.#lexicon.repair(tables);
      await maintain(this.#database, tables, this.#lexicon, signal);
    });
  }

  async close(): Promise<void> {
    await this.#commits.settled();
    await this.#database.close();
  }

  async #conditions({ chunks }: Tables, filter: ChunkFilter = {}): Promise<Conditions> {
    const { contentIncludes = [] } = filter;
    const includes =
      contentIncludes.length > 0 ? await this.#phrases.condition(chunks, contentIncludes) : undefined;
    return conditionsOf(filter, includes);
  }

  /** @param most no more than these are there */
  async #chunksWhere<Field extends keyof StoredChunk>(
    condition: string | ((tables: Tables) => Promise<string | undefined>),
    fields: readonly Field[],
    most = Infinity,
  ): Promise<Pick<StoredChunk, Field>[]> {
    const columns = columnsOf(fields);
    return this.#read("reading chunks", [], async (tables) => {
      const found: Pick<StoredChunk, Field>[] = [];
      const query = tables.chunks.query();
      const where = typeof condition === "string" ? condition : await condition(tables);
      if (where !== undefined) query.where(where);
      for await (const batch of query.select(columns)) {
        for (const row of readRows(batch, chunkColumns, columns)) found.push(chunkOf<Field>(row));
        // Hearing that nothing more comes takes another turn through LanceDB.
        if (found.length >= most) break;
      }
      return found;
    });
  }

  /** Reads from the tables; `empty` where nothing was ever built. */
  #read<T>(what: string, empty: T, read: (tables: Tables) => Promise<T>): Promise<T> {
    return this.#call(what, async () => {
      const tables = await this.#database.tables();
      return tables === undefined ? empty : read(tables);
    });
  }

  #commit(what: string, commit: () => Promise<void>): Promise<void> {
    return this.#commits.run(() => this.#call(what, commit));
  }

  async #call<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      // What failed may be a handle that another process has made useless.
      this.#database.forget();
      throw asStoreError(what, error, this.#database.remote);
    }
  }

  async #built(): Promise<Tables> {
    const tables = await this.#database.tables();
    const known = tables !== undefined && tables === this.#known;
    if (tables === undefined || (!known && (await readMeta(tables.meta)) === undefined))
      throw new KbError("KB_STORE_EMPTY", "There is no index to write to");
    this.#known = tables;
    return tables;
  }
}
