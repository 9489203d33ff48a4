// Keeps the tables fast and small: merges fragments and brings the indexes up to date when enough has changed, and
// frees what old versions hold. Rebuilding an index rewrites it whole, so nothing is done for a few changes.
import type { Table } from "@lancedb/lancedb";
import { termColumns } from "./columns.js";
import type { Database, Tables } from "./database.js";
import type { Lexicon } from "./lexicon.js";

/** Rows that the indexes do not cover, from which on they are brought up to date: every 1,000 cost a search 13 ms. */
const unindexedRowsMin = 200;
/** The same as a share of all rows: merging the indexes takes time in proportion to the table. */
const unindexedShare = 1 / 200;
/** Fragments of the chunks table, each from one write: every one costs a search 0.5 ms. */
const chunkFragmentsMax = 8;
/** Fragments of the tables that have no index: merging them takes some 10 ms. */
const rowFragmentsMax = 3;
/** Versions of the chunks table from which on they are freed, which rewrites it: each holds what it replaced. */
const versionsMax = 32;
/** Rows not covered from which on a write waits for the indexes, so that searches stay fast during a first run. */
const pressingRows = 2000;
/** Vectors from which on an index pays. */
const vectorIndexMin = 2000;
/** Parts a vector index may have before it is built anew as one; every merge adds one. */
const vectorIndexParts = 8;

/** A full-text index that stands for all: they are brought up to date together. */
const textIndex = "text_idx";
const vectorIndex = "vector_idx";

/** Makes the indexes of an empty chunks table. A text search without them would split and fold terms in its own way. */
export async function indexChunks(database: Database, chunks: Table): Promise<void> {
  const { lancedb } = await database.lance();
  // Terms come analysed and separated by spaces: they are indexed as they are.
  const terms = {
    baseTokenizer: "whitespace",
    lowercase: false,
    stem: false,
    removeStopWords: false,
    asciiFolding: false,
    maxTokenLength: 65_536,
    withPosition: false,
  } as const;
  for (const column of termColumns) await chunks.createIndex(column, { config: lancedb.Index.fts(terms) });
  for (const column of ["id", "path"]) await chunks.createIndex(column, { config: lancedb.Index.btree() });
}

/** Whether so much is not indexed that the next searches would suffer. */
export async function isPressing({ chunks }: Tables): Promise<boolean> {
  return (await unindexedRows(chunks)) >= pressingRows;
}

/** Does what is due, step by step; an abort ends it after the step under way. */
export async function maintain(
  database: Database,
  tables: Tables,
  lexicon: Lexicon,
  signal?: AbortSignal,
): Promise<void> {
  const steps = [
    () => tidyChunks(database, tables.chunks),
    () => tidyRows(database, tables.documents),
    () => tidyRows(database, tables.meta),
    () => lexicon.compact(tables),
    () => indexVectors(database, tables.chunks),
  ];
  for (const step of steps) {
    if (signal?.aborted === true) return;
    await step();
  }
}

async function tidyChunks(database: Database, chunks: Table): Promise<void> {
  const unindexed = await unindexedRows(chunks);
  const { numRows, fragmentStats } = await chunks.stats();
  const behind =
    unindexed >= Math.max(unindexedRowsMin, numRows * unindexedShare) ||
    fragmentStats.numFragments > chunkFragmentsMax;
  // Without a fragment or row too many it costs little, and frees old versions.
  const settled = unindexed === 0 && fragmentStats.numFragments <= 1;
  if (behind || settled || (await chunks.listVersions()).length > versionsMax)
    await database.optimize(chunks);
}

/** For the tables without an index: merging them is cheap. */
async function tidyRows(database: Database, table: Table): Promise<void> {
  const { fragmentStats } = await table.stats();
  if (fragmentStats.numFragments <= 1 || fragmentStats.numFragments > rowFragmentsMax)
    await database.optimize(table);
}

async function unindexedRows(chunks: Table): Promise<number> {
  return (await chunks.indexStats(textIndex))?.numUnindexedRows ?? 0;
}

/**
 * One cell that holds every vector as it is: a search still compares them all, but finds them in memory, five to ten
 * times as fast as in the table. An index of many cells would be faster still, but miss neighbours.
 */
async function indexVectors(database: Database, chunks: Table): Promise<void> {
  const statistics = await chunks.indexStats(vectorIndex);
  const due =
    statistics === undefined
      ? (await chunks.countRows("hasVector")) >= vectorIndexMin
      : (statistics.numIndices ?? 1) > vectorIndexParts;
  if (!due) return;
  const { lancedb } = await database.lance();
  await chunks.createIndex("vector", {
    config: lancedb.Index.ivfFlat({ distanceType: "cosine", numPartitions: 1 }),
  });
}
