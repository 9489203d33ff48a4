// Documents that searches have shown, kept until the next commit to their table: the hits of one conversation lie in
// few documents.
import type { Table } from "@lancedb/lancedb";
import type { StoredDocument } from "../../../core/plugin-api.js";
import { readRows } from "./arrow-rows.js";
import { documentColumns } from "./columns.js";
import { documentOf } from "./document-rows.js";
import { isOneOf } from "./sql.js";
import { tableVersion } from "./table-version.js";

/** Some hundred bytes to a few kilobytes each. */
const documentsMax = 2_000;

const names = Object.keys(documentColumns) as (keyof StoredDocument)[];

export class DocumentCache {
  #found = new Map<string, StoredDocument>();
  #table: Table | undefined;
  #version = -1;

  /** The documents at these paths, in the order asked; one that is not there is left out. */
  async at(documents: Table, paths: readonly string[]): Promise<StoredDocument[]> {
    // Before the rows are read: they may be newer than the version they are kept under, never older.
    const version = await tableVersion(documents);
    const current = documents === this.#table && version === this.#version;
    if (!current || this.#found.size > documentsMax) {
      this.#found = new Map();
      this.#table = documents;
      this.#version = version;
    }
    const found = this.#found;
    const missing = new Set(paths.filter((path) => !found.has(path)));
    if (missing.size > 0) await read(documents, missing, found);
    return paths.flatMap((path) => found.get(path) ?? []);
  }
}

async function read(
  documents: Table,
  paths: ReadonlySet<string>,
  found: Map<string, StoredDocument>,
): Promise<void> {
  let rows = 0;
  for await (const batch of documents.query().where(isOneOf("path", paths))) {
    for (const row of readRows(batch, documentColumns, names)) {
      const document = documentOf<keyof StoredDocument>(row);
      found.set(document.path, document);
    }
    rows += batch.numRows;
    // Hearing that nothing more comes takes another turn through LanceDB.
    if (rows === paths.size) break;
  }
}
