// Commits rows to the documents and chunks tables, each call in one commit.
import { arrowTable } from "./arrow-rows.js";
import type { DocumentWrite } from "../../../core/plugin-api.js";
import { chunkRow } from "./chunk-rows.js";
import { chunkColumns, documentColumns, type Row } from "./columns.js";
import type { Database, Tables } from "./database.js";
import { unfinished } from "./document-rows.js";
import { isOneOf } from "./sql.js";

export class TableWriter {
  constructor(
    private readonly database: Database,
    private readonly tables: Tables,
    /** Length of the vectors. */
    private readonly dimensions: number,
  ) {}

  /**
   * Puts rows of chunks in the place of all that is stored under `paths`.
   * @param writes documents with chunks of these paths, or of paths that nothing is stored under
   */
  async replaceChunks(writes: readonly DocumentWrite[], paths: readonly string[]): Promise<void> {
    const table = this.tables.chunks;
    // Each of the simpler commands costs a fraction of a merge, which reads the keys of the whole table.
    if (writes.every(({ chunks }) => chunks.length === 0)) {
      if (paths.length > 0) await table.delete(isOneOf("path", paths));
      return;
    }
    const { arrow } = await this.database.lance();
    const data = await arrowTable(arrow, chunkColumns, chunkRows(writes), this.dimensions);
    if (paths.length === 0) await table.add(data);
    else
      await table
        .mergeInsert("id")
        .whenMatchedUpdateAll()
        .whenNotMatchedInsertAll()
        .whenNotMatchedBySourceDelete({ where: isOneOf("path", paths) })
        .execute(data);
  }

  /** Adds or replaces rows of documents, and removes those of `removed`. */
  async replaceDocuments(rows: readonly Row[], removed: readonly string[]): Promise<void> {
    const table = this.tables.documents;
    if (rows.length === 0) {
      if (removed.length > 0) await table.delete(isOneOf("path", removed));
      return;
    }
    const { arrow } = await this.database.lance();
    const merge = table.mergeInsert("path").whenMatchedUpdateAll().whenNotMatchedInsertAll();
    await (
      removed.length === 0 ? merge : merge.whenNotMatchedBySourceDelete({ where: isOneOf("path", removed) })
    ).execute(await arrowTable(arrow, documentColumns, rows));
  }

  /** Marks documents as unfinished. @param rows documents to be added so @param paths documents that are there */
  async markUnfinished(rows: readonly Row[], paths: readonly string[]): Promise<void> {
    const table = this.tables.documents;
    if (paths.length > 0) await table.update({ where: isOneOf("path", paths), values: { ...unfinished } });
    if (rows.length === 0) return;
    const { arrow } = await this.database.lance();
    const marked = rows.map((row) => ({ ...row, ...unfinished, chunkCount: 0, declinedCount: 0 }));
    await table.add(await arrowTable(arrow, documentColumns, marked));
  }
}

function* chunkRows(writes: readonly DocumentWrite[]): Generator<Row> {
  for (const { document, chunks } of writes) for (const chunk of chunks) yield chunkRow(chunk, document);
}
