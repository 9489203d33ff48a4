// Which chunks hold what a search requires of their content. Every leg of a search asks, and to look costs a pass over
// the text of all chunks: it is done once.
import type { Table } from "@lancedb/lancedb";
import { filterSql } from "./filter-sql.js";
import { isOneOf } from "./sql.js";
import { tableVersion } from "./table-version.js";

/** More chunks than this are not listed: a list in SQL then costs as much as looking at the text. */
const listedMax = 20_000;

export class PhraseRows {
  #known:
    | { readonly key: string; readonly table: Table; readonly condition: Promise<string | undefined> }
    | undefined;

  /**
   * A condition that lists the chunks whose content matches all the expressions, or undefined if they are too many. What
   * the last search asked for is remembered until the next commit.
   */
  async condition(table: Table, expressions: readonly string[]): Promise<string | undefined> {
    const key = JSON.stringify([await tableVersion(table), expressions]);
    if (this.#known?.key === key && this.#known.table === table) return this.#known.condition;
    const condition = list(table, expressions);
    this.#known = { key, table, condition };
    condition.catch(() => (this.#known = undefined));
    return condition;
  }
}

async function list(table: Table, contentIncludes: readonly string[]): Promise<string | undefined> {
  const where = filterSql({ contentIncludes });
  const query = table
    .query()
    .select(["id"])
    .limit(listedMax + 1);
  const ids: string[] = [];
  for await (const batch of where === undefined ? query : query.where(where))
    for (const id of batch.getChild("id") ?? []) ids.push(String(id));
  if (ids.length > listedMax) return undefined;
  return ids.length === 0 ? "false" : isOneOf("id", ids);
}
