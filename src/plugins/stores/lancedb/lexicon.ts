// Statistics for BM25, kept in a table of their own: in how many chunks each term occurs, how many chunks there are,
// how long they are. LanceDB's own count deleted rows, miss new ones, and cannot be asked for.
//
// Rows of one term add up, so a write appends the difference it makes and reads nothing. A write cut short between
// the chunks and their statistics, in whichever process, leaves the sums wrong: the next one notices and counts anew.
import { setImmediate } from "node:timers/promises";
import type { Table } from "@lancedb/lancedb";
import { termsOf } from "./chunk-rows.js";
import { arrowTable, readRows, readRowsInSlices } from "./arrow-rows.js";
import { chunkColumns, lexiconColumns, termColumns } from "./columns.js";
import type { Database, Tables } from "./database.js";
import { unfinished } from "./document-rows.js";
import { isOneOf, text } from "./sql.js";
import { tableVersion } from "./table-version.js";
import { TermCounts, chunksKey, lengthsKey, summedRowsKey, type FieldCounts } from "./term-counts.js";

/** Statistics of all chunks, and of the terms that were asked for. */
export interface TermStatistics {
  readonly chunks: number;
  /** Terms in all chunks together. */
  readonly lengths: Readonly<FieldCounts>;
  /** In how many chunks a term occurs. */
  readonly frequencies: (term: string) => Readonly<FieldCounts>;
}

const columnNames = ["term", ...termColumns] as const;
/** Rows appended before the sums are worked out: they take a look-up from 3 to about 6 ms. */
const looseRowsMax = 20_000;
/** Fragments of the table, each from one write: every one costs a look-up 0.2 ms. */
const fragmentsMax = 8;
/** Terms kept in memory; a query has a few dozen. */
const cachedTermsMax = 10_000;

export class Lexicon {
  #cache = new Map<string, Readonly<FieldCounts>>();
  #cached: { readonly table: Table; readonly version: number } | undefined;
  /** The documents as this process left them after a whole write: nobody can have been cut short since. */
  #trusted: { readonly table: Table; readonly version: number } | undefined;

  constructor(private readonly database: Database) {}

  /** Statistics for terms, one query for those not asked for since the last commit. */
  async statistics(tables: Tables, terms: Iterable<string>): Promise<TermStatistics> {
    const counts = await this.#counts(tables, [chunksKey, lengthsKey, ...terms]);
    const of = (term: string): Readonly<FieldCounts> => counts.get(term) ?? noCounts;
    return { chunks: of(chunksKey).text, lengths: of(lengthsKey), frequencies: of };
  }

  /** Appends the difference that a write makes. */
  async append(tables: Tables, difference: TermCounts): Promise<void> {
    const rows = difference.rows();
    if (rows.length === 0) return;
    const { arrow } = await this.database.lance();
    await tables.lexicon.add(await arrowTable(arrow, lexiconColumns, rows));
  }

  /** Counts anew if a write was cut short, by this process or another. Call before a write. */
  async repair(tables: Tables): Promise<void> {
    const { documents } = tables;
    const trusted =
      this.#trusted?.table === documents && this.#trusted.version === (await tableVersion(documents));
    const cutShort =
      !trusted && (await documents.countRows(`contentHash = ${text(unfinished.contentHash)}`)) > 0;
    const { chunks } = await this.statistics(tables, []);
    if (cutShort || chunks !== (await tables.chunks.countRows())) await this.#recount(tables);
    this.#trusted = undefined;
  }

  /** A write has ended as it should: until another process commits, the next one need not look. */
  async trust({ documents }: Tables): Promise<void> {
    this.#trusted = { table: documents, version: await documents.version() };
  }

  /** Works out the sums when many rows have been appended since they last were; before that, merges fragments. */
  async compact(tables: Tables): Promise<void> {
    const { numRows, fragmentStats } = await tables.lexicon.stats();
    const summed = (await this.#counts(tables, [summedRowsKey])).get(summedRowsKey)?.text ?? 0;
    if (numRows - summed >= Math.max(looseRowsMax, summed / 2)) {
      const sums = new TermCounts();
      await readInto(sums, tables.lexicon);
      await this.#replace(sums);
    } else if (fragmentStats.numFragments > fragmentsMax) await this.database.optimize(tables.lexicon);
  }

  /** The sums of some keys, and of others that were asked for before. */
  async #counts(
    { lexicon }: Tables,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, Readonly<FieldCounts>>> {
    const version = await tableVersion(lexicon);
    const current = this.#cached?.table === lexicon && this.#cached.version === version;
    if (!current || this.#cache.size > cachedTermsMax) {
      this.#cache = new Map();
      this.#cached = { table: lexicon, version };
    }
    const cache = this.#cache;
    const missing = [...new Set(keys)].filter((key) => !cache.has(key));
    if (missing.length > 0) {
      const found = new TermCounts();
      await readInto(found, lexicon, isOneOf("term", missing));
      for (const key of missing) cache.set(key, found.get(key));
    }
    return cache;
  }

  async #recount(tables: Tables): Promise<void> {
    const counts = new TermCounts();
    const query = tables.chunks.query().select([...termColumns]);
    for await (const rows of readRowsInSlices(query, chunkColumns, termColumns))
      for (const row of rows) counts.addChunk(termsOf(row), 1);
    await this.#replace(counts);
  }

  /** Starts empty. */
  async reset(): Promise<void> {
    this.#trusted = undefined;
    await this.#replace(new TermCounts());
  }

  async #replace(counts: TermCounts): Promise<void> {
    const rows = counts.rows().filter(({ term }) => term !== summedRowsKey);
    rows.push({ term: summedRowsKey, text: rows.length + 1, title: 0, bigrams: 0 });
    const table = await this.database.overwrite("lexicon", rows);
    const { lancedb } = await this.database.lance();
    await table.createIndex("term", { config: lancedb.Index.btree() });
    // The index is new and covers all: this only frees old versions.
    await this.database.optimize(table);
  }
}

const noCounts: Readonly<FieldCounts> = { text: 0, title: 0, bigrams: 0 };

async function readInto(counts: TermCounts, table: Table, where?: string): Promise<void> {
  const query = table.query();
  if (where !== undefined) query.where(where);
  for await (const batch of query.select([...columnNames])) {
    for (const row of readRows(batch, lexiconColumns, columnNames)) counts.addRow(row);
    await setImmediate();
  }
}
