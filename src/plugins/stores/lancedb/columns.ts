// What the four tables hold. Column names are those of the plugin interface where they mean the same.
import type { StoredDocument } from "../../../core/plugin-api.js";

/** How a column is stored. Only kinds marked optional may hold null. */
export type ColumnKind =
  | "text"
  | "optional text"
  | "text list"
  | "integer"
  | "optional integer"
  | "number"
  | "flag"
  | "optional vector";

export type Columns = Readonly<Record<string, ColumnKind>>;

/** A value of a row. */
export type Cell = string | number | boolean | readonly string[] | Float32Array | null;
export type Row = Readonly<Record<string, Cell>>;

/** One row for each document. */
export const documentColumns = {
  path: "text",
  title: "text",
  mediaType: "text",
  parser: "text",
  sizeBytes: "number",
  modifiedMs: "number",
  contentHash: "text",
  lineCount: "integer",
  chunkCount: "integer",
  declinedCount: "integer",
  category: "optional text",
  categoryKey: "optional text",
  topic: "text",
  topicKey: "text",
  date: "optional text",
  tags: "text list",
  tagKeys: "text list",
  pathKey: "text",
} as const satisfies Record<keyof StoredDocument, ColumnKind>;

/** The columns of a chunk row that hold its terms, joined by spaces; each has a full-text index. */
export const termColumns = ["text", "title", "bigrams"] as const;

/** One row for each chunk. */
export const chunkColumns = {
  /** path and position in one, see chunkId: the key of a merge, which takes a single column best. */
  id: "text",
  path: "text",
  position: "integer",
  heading: "optional text",
  headingPath: "text list",
  level: "integer",
  content: "text",
  contentKey: "text",
  startLine: "optional integer",
  endLine: "optional integer",
  tokens: "integer",
  quality: "number",
  text: "text",
  title: "text",
  bigrams: "text",
  vector: "optional vector",
  /** Whether there is a vector: counting NULLs of the column itself would read every vector. */
  hasVector: "flag",
  categoryKey: "optional text",
  topicKey: "text",
  date: "optional text",
  tagKeys: "text list",
  pathKey: "text",
} as const satisfies Columns;

/** Metadata: one row for each entry. */
export const metaColumns = { key: "text", value: "text" } as const satisfies Columns;

/** Term statistics: rows of a term add up, see lexicon.ts. */
export const lexiconColumns = {
  term: "text",
  text: "number",
  title: "number",
  bigrams: "number",
} as const satisfies Columns;

export const tableColumns = {
  documents: documentColumns,
  chunks: chunkColumns,
  lexicon: lexiconColumns,
  meta: metaColumns,
} as const;

export type TableName = keyof typeof tableColumns;
