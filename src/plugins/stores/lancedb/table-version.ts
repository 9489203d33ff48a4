// The number of a table's newest commit, looked up once for all who ask at the same moment: a search asks from several
// places, and each look is a trip to another thread.
import type { Table } from "@lancedb/lancedb";

const asked = new WeakMap<Table, Promise<number>>();

/** As `table.version()`. Calls share one look only if nothing from outside can have arrived between them. */
export function tableVersion(table: Table): Promise<number> {
  const shared = asked.get(table);
  if (shared !== undefined) return shared;
  const version = table.version();
  asked.set(table, version);
  // Runs when the promise callbacks of the turn are done, before any event that could tell of a commit.
  process.nextTick(() => asked.delete(table));
  return version;
}
