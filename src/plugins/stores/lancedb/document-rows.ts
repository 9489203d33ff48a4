// Documents as rows of the documents table.
import type { StoredDocument } from "../../../core/plugin-api.js";
import type { Cell, Row } from "./columns.js";

export function documentRow(document: StoredDocument): Row {
  return {
    ...document,
    category: document.category ?? null,
    categoryKey: document.categoryKey ?? null,
    date: document.date ?? null,
  };
}

/** A document, or some of its fields: what is null in the row is absent. */
export function documentOf<Field extends keyof StoredDocument>(
  row: Readonly<Record<Field, Cell>>,
): Pick<StoredDocument, Field> {
  return withoutNulls(row) as unknown as Pick<StoredDocument, Field>;
}

/**
 * What a row holds while the chunks of its document change: the hash and time of no file. A write cut short leaves a
 * document that the next run takes for changed.
 */
export const unfinished = { contentHash: "", modifiedMs: 0 } as const;

export function withoutNulls(row: Row): Row {
  // Most rows have none, and thousands are read to find what changed.
  for (const name in row)
    if (row[name] === null)
      return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
  return row;
}
