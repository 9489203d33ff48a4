// Owns the connection and the handles of the four tables. Knows how tables are made and opened, not what is in them.
import { access, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Connection, Table } from "@lancedb/lancedb";
import { KbError } from "../../../core/plugin-api.js";
import { arrowSchema, arrowTable } from "./arrow-rows.js";
import { tableColumns, type Row, type TableName } from "./columns.js";
import { connect, isUri, type Lance } from "./lance.js";
import type { RemoteOptions } from "./options.js";
import type { RemotePlace } from "./store-error.js";

export type Tables = Readonly<Record<TableName, Table>>;

/** For how long the files of old versions stay for readers that are still at them. */
const defaultRetentionMs = 2 * 60 * 1000;

/** Made last but for the statistics when an index is begun, and never dropped alone. */
const identifyingTable: TableName = "documents";

const tableNames = Object.keys(tableColumns) as TableName[];

export class Database {
  #lance: Promise<Lance> | undefined;
  #tables: Tables | undefined;
  /** What the folder was when the tables were opened. */
  #identity: string | undefined;
  #opened = 0;
  #closed = false;

  /**
   * @param location a folder or a URI; nothing is read or written before the first call
   * @param options how to reach a URI
   */
  constructor(
    private readonly location: string,
    private readonly retentionMs = defaultRetentionMs,
    private readonly options: RemoteOptions = {},
  ) {}

  /** Where it is, unless it is a folder. */
  get remote(): RemotePlace | undefined {
    return isUri(this.location) ? { location: this.location, options: this.options } : undefined;
  }

  /** The libraries and the connection, loaded and opened by the first call. Makes the folder. */
  lance(): Promise<Lance> {
    if (this.#closed) throw new KbError("KB_STORE_FAILED", "The index is closed");
    this.#lance ??= connect(this.location, this.options).catch((error: unknown) => {
      this.#lance = undefined;
      throw error;
    });
    return this.#lance;
  }

  /** How often the tables were opened: an open table never becomes another one. */
  get opened(): number {
    return this.#opened;
  }

  /**
   * The tables, or undefined if not all of them are there. The same handles each time, unless somebody has removed
   * the tables and made new ones, which may have the old version numbers.
   */
  async tables(): Promise<Tables | undefined> {
    const identity = await this.#identityNow();
    if (this.#tables !== undefined && identity === this.#identity && !this.#closed) return this.#tables;
    this.#tables = undefined;
    if (this.#lance === undefined && !(await this.#mayExist())) return undefined;
    const { connection } = await this.lance();
    const opening = tableNames.map(async (name) => [name, await openTable(connection, name)] as const);
    // A connection that is closed while a table is still being opened throws: one that fails waits for the others.
    await Promise.allSettled(opening);
    const opened = await Promise.all(opening);
    if (opened.some(([, table]) => table === undefined)) return undefined;
    this.#identity = identity;
    this.#opened++;
    this.#tables = Object.fromEntries(opened) as unknown as Tables;
    return this.#tables;
  }

  /**
   * Makes a table anew in one commit, whatever is there now. Readers with an open handle go over to the new
   * contents; version numbers go on rising.
   * @param dimensions length of vectors, for the chunks table
   */
  async overwrite(name: TableName, rows: readonly Row[], dimensions?: number): Promise<Table> {
    const { connection, arrow } = await this.lance();
    const columns = tableColumns[name];
    const make = async (): Promise<Table> =>
      rows.length === 0
        ? connection.createEmptyTable(name, arrowSchema(arrow, columns, dimensions), { mode: "overwrite" })
        : connection.createTable(name, await arrowTable(arrow, columns, rows, dimensions), {
            mode: "overwrite",
          });
    try {
      return await make();
    } catch {
      // A table too damaged to be overwritten is dropped with its folder.
      await connection.dropTable(name);
      return await make();
    }
  }

  /**
   * Merges small fragments, brings the indexes up to date and frees what old versions hold. Rewrites whole indexes
   * if there is anything they do not cover.
   */
  async optimize(table: Table): Promise<void> {
    // LanceDB's service keeps its tables tidy by itself and refuses to be asked.
    if (this.location.startsWith("db://")) return;
    await table.optimize({ cleanupOlderThan: new Date(Date.now() - this.retentionMs) });
  }

  /** Forgets the handles, so that the next call opens the tables anew. */
  forget(): void {
    this.#tables = undefined;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#tables = undefined;
    const lance = await this.#lance?.catch(() => undefined);
    lance?.connection.close();
  }

  /** Tells the folder of a table from a later one in its place; undefined where there is none. */
  async #identityNow(): Promise<string | undefined> {
    if (isUri(this.location)) return undefined;
    return stat(join(this.location, `${identifyingTable}.lance`)).then(
      ({ ino, birthtimeMs }) => `${ino}.${birthtimeMs}`,
      () => undefined,
    );
  }

  /** Whether there can be tables. Looked at first because connecting makes the folder. */
  async #mayExist(): Promise<boolean> {
    if (isUri(this.location)) return true;
    return access(this.location).then(
      () => true,
      () => false,
    );
  }
}

/** A table, or undefined if it is not there or was never completed. */
async function openTable(connection: Connection, name: TableName): Promise<Table | undefined> {
  try {
    return await connection.openTable(name);
  } catch (error) {
    if (/was not found/i.test(String(error))) return undefined;
    throw error;
  }
}
