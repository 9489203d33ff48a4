// The order in which a batch is committed. Tables do not commit together, so the order makes every point between two
// commits a state that the next run mends:
//
//   1. rows of the documents concerned are marked unfinished (new ones are added so)
//   2. chunks are replaced: all documents of the batch in one commit
//   3. term statistics follow
//   4. rows of documents are written and removed
//
// A reader between 2 and 4, for milliseconds or after a kill until the next run, sees new passages under the old title.
import type { Table } from "@lancedb/lancedb";
import {
  KbError,
  type DocumentWrite,
  type StoredChunk,
  type StoredDocument,
  type WriteBatch,
} from "../../../core/plugin-api.js";
import { inSlices, readRows, readRowsInSlices } from "./arrow-rows.js";
import { chunkFields, chunkOf, columnsOf, termsOf } from "./chunk-rows.js";
import { chunkColumns, documentColumns, termColumns, type Row } from "./columns.js";
import type { Database, Tables } from "./database.js";
import { documentRow } from "./document-rows.js";
import { filterColumns } from "./filter-sql.js";
import type { Lexicon } from "./lexicon.js";
import { isOneOf } from "./sql.js";
import { TableWriter } from "./table-writer.js";
import { TermCounts } from "./term-counts.js";
import { checkDimensions, vectorDimensions } from "./vector-search.js";

const documentNames = Object.keys(documentColumns);

/** Commits a batch. What is already so, such as the removal of an unknown path, is left out. */
export async function writeBatch(
  database: Database,
  tables: Tables,
  lexicon: Lexicon,
  batch: WriteBatch,
): Promise<void> {
  const { put = [], update = [], delete: remove = [] } = batch;
  const paths = pathsOf(batch);
  if (paths.length === 0) return;
  const dimensions = await vectorDimensions(tables);
  for (const { chunks } of put) checkVectors(chunks, dimensions);

  const stored = await storedRows(tables.documents, paths);
  const updated = update.filter(({ path }) => stored.has(path));
  const removed = remove.filter((path) => stored.has(path));
  const moved = updated.filter((document) => filtersDiffer(document, stored.get(document.path)));
  const rewritten = [...put, ...(await withStoredChunks(tables.chunks, moved))];

  const writer = new TableWriter(database, tables, dimensions);
  if (rewritten.length > 0 || removed.length > 0) {
    const written = rewritten.map(({ document }) => document);
    const replaced = [...written.map(({ path }) => path).filter((path) => stored.has(path)), ...removed];
    const difference = await termDifference(tables.chunks, rewritten, replaced);
    const added = written.filter(({ path }) => !stored.has(path));
    await writer.markUnfinished(added.map(documentRow), replaced);
    await writer.replaceChunks(rewritten, replaced);
    await lexicon.append(tables, difference);
  }
  const documents = [...put.map(({ document }) => document), ...updated];
  await writer.replaceDocuments(documents.map(documentRow), removed);
}

/** LanceDB refuses a whole batch for one number that is not finite, without saying where it is. */
function checkVectors(chunks: readonly StoredChunk[], dimensions: number): void {
  for (const { path, vector } of chunks) {
    if (vector === null) continue;
    checkDimensions(vector, dimensions);
    if (!isFinite(vector))
      throw new KbError("KB_EMBED_FAILED", `A vector for ${path} holds a number that is not finite`);
  }
}

/** A number that is not finite makes the sum NaN. Calling a function for each number takes ten times as long. */
function isFinite(vector: Float32Array): boolean {
  let sum = 0;
  for (const value of vector) sum += value * 0;
  return sum === 0;
}

function pathsOf({ put = [], update = [], delete: remove = [] }: WriteBatch): string[] {
  const paths = [...put.map(({ document }) => document.path), ...update.map(({ path }) => path), ...remove];
  const seen = new Set<string>();
  for (const path of paths) {
    if (seen.has(path)) throw new KbError("KB_INTERNAL", `A write names ${path} twice`);
    seen.add(path);
  }
  return paths;
}

async function storedRows(documents: Table, paths: readonly string[]): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>();
  for await (const batch of documents.query().where(isOneOf("path", paths)))
    for (const row of readRows(batch, documentColumns, documentNames)) rows.set(String(row["path"]), row);
  return rows;
}

/** Whether an updated document would be found by other filters than its chunks. */
function filtersDiffer(document: StoredDocument, stored: Row | undefined): boolean {
  const row = documentRow(document);
  return filterColumns.some((column) => JSON.stringify(row[column]) !== JSON.stringify(stored?.[column]));
}

async function withStoredChunks(
  chunks: Table,
  documents: readonly StoredDocument[],
): Promise<DocumentWrite[]> {
  const writes = new Map(
    documents.map((document) => [
      document.path,
      { document, chunks: [] as DocumentWrite["chunks"][number][] },
    ]),
  );
  if (writes.size === 0) return [];
  const columns = columnsOf(chunkFields);
  const query = chunks.query().where(isOneOf("path", writes.keys())).select(columns);
  for await (const rows of readRowsInSlices(query, chunkColumns, columns))
    for (const row of rows) writes.get(row.path as string)?.chunks.push(chunkOf(row));
  return [...writes.values()];
}

/** What the batch adds to the term statistics and takes from them. */
async function termDifference(
  chunks: Table,
  rewritten: readonly DocumentWrite[],
  replaced: readonly string[],
): Promise<TermCounts> {
  const difference = new TermCounts();
  for await (const slice of inSlices(chunksOf(rewritten)))
    for (const { terms } of slice) difference.addChunk(terms, 1);
  if (replaced.length === 0) return difference;
  const query = chunks
    .query()
    .where(isOneOf("path", replaced))
    .select([...termColumns]);
  for await (const rows of readRowsInSlices(query, chunkColumns, termColumns))
    for (const row of rows) difference.addChunk(termsOf(row), -1);
  return difference;
}

function* chunksOf(writes: readonly DocumentWrite[]): Generator<StoredChunk> {
  for (const { chunks } of writes) yield* chunks;
}
