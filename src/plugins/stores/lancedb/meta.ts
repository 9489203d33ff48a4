// The metadata table: what kb-mcp notes about the index, and the layout this plugin wrote it in.
import type { Table } from "@lancedb/lancedb";
import { KbError } from "../../../core/plugin-api.js";
import { arrowTable, readRows } from "./arrow-rows.js";
import { metaColumns } from "./columns.js";
import type { Database } from "./database.js";

/** Version of the tables' columns and meaning; another one cannot be read. */
const layout = "2";
/** Begins with a character no key of kb-mcp begins with. */
const layoutKey = "\u0001layout";
const names = ["key", "value"] as const;

/**
 * The entries, or undefined if the table holds none: a reset that was cut short.
 * @throws KbError KB_STORE_MISMATCH if another version of the plugin wrote the index
 */
export async function readMeta(meta: Table): Promise<Readonly<Record<string, string>> | undefined> {
  const entries = new Map<string, string>();
  for await (const batch of meta.query())
    for (const { key, value } of readRows(batch, metaColumns, names)) entries.set(String(key), String(value));
  const written = entries.get(layoutKey);
  if (written === undefined) return undefined;
  if (written !== layout)
    throw new KbError("KB_STORE_MISMATCH", "The index was written by another version of the lancedb store");
  entries.delete(layoutKey);
  return Object.fromEntries(entries);
}

/** Adds or replaces entries in one commit. */
export async function mergeMeta(
  database: Database,
  meta: Table,
  entries: Readonly<Record<string, string>>,
): Promise<void> {
  const rows = Object.entries({ ...entries, [layoutKey]: layout }).map(([key, value]) => ({ key, value }));
  const { arrow } = await database.lance();
  await meta
    .mergeInsert("key")
    .whenMatchedUpdateAll()
    .whenNotMatchedInsertAll()
    .execute(await arrowTable(arrow, metaColumns, rows));
}
