// Rows to Arrow tables and back, column by column: LanceDB's own conversion takes three times as long.
import { setImmediate } from "node:timers/promises";
import type * as Arrow from "apache-arrow";
import type { Cell, ColumnKind, Columns, Row } from "./columns.js";

type ArrowLibrary = typeof Arrow;

/** @param dimensions length of vectors; a table without a vector column may leave it out */
export function arrowSchema(arrow: ArrowLibrary, columns: Columns, dimensions = 0): Arrow.Schema {
  const fields = Object.entries(columns).map(
    ([name, kind]) => new arrow.Field(name, arrowType(arrow, kind, dimensions), kind.startsWith("optional")),
  );
  return new arrow.Schema(fields);
}

function arrowType(arrow: ArrowLibrary, kind: ColumnKind, dimensions: number): Arrow.DataType {
  switch (kind) {
    case "text":
    case "optional text":
      return new arrow.Utf8();
    case "text list":
      return new arrow.List(new arrow.Field("item", new arrow.Utf8(), false));
    case "integer":
    case "optional integer":
      return new arrow.Int32();
    case "number":
      return new arrow.Float64();
    case "flag":
      return new arrow.Bool();
    case "optional vector":
      return new arrow.FixedSizeList(dimensions, new arrow.Field("item", new arrow.Float32(), false));
  }
}

/** Rows that are built or read at once: 10 to 20 ms for rows of chunks. Between slices other work has its turn. */
const sliceRows = 128;

/** An Arrow table of at least one row, built slice by slice; rows that are made on demand are made so too. */
export async function arrowTable(
  arrow: ArrowLibrary,
  columns: Columns,
  rows: Iterable<Row>,
  dimensions = 0,
): Promise<Arrow.Table> {
  const schema = arrowSchema(arrow, columns, dimensions);
  const batches: Arrow.RecordBatch[] = [];
  for await (const slice of inSlices(rows)) batches.push(arrowBatch(arrow, columns, schema, slice));
  return new arrow.Table(schema, batches);
}

/** The items in slices, with a turn of the event loop between them. */
export async function* inSlices<Item>(items: Iterable<Item>): AsyncGenerator<readonly Item[]> {
  let slice: Item[] = [];
  for (const item of items) {
    if (slice.length === sliceRows) {
      yield slice;
      slice = [];
      await setImmediate();
    }
    slice.push(item);
  }
  if (slice.length > 0) yield slice;
}

function arrowBatch(
  arrow: ArrowLibrary,
  columns: Columns,
  schema: Arrow.Schema,
  rows: readonly Row[],
): Arrow.RecordBatch {
  const children = schema.fields.map(({ name, type }) => {
    const cells = rows.map((row) => row[name] ?? null);
    return columns[name] === "optional vector"
      ? vectorData(arrow, type as Arrow.FixedSizeList, cells as (Float32Array | null)[])
      : arrow.vectorFromArray(cells, type).data[0];
  });
  const struct = arrow.makeData({
    type: new arrow.Struct(schema.fields),
    length: rows.length,
    nullCount: 0,
    children: children as Arrow.Data[],
  });
  return new arrow.RecordBatch(schema, struct);
}

/** Vectors laid end to end in one buffer; Arrow's builder would take them number by number. */
function vectorData(
  arrow: ArrowLibrary,
  type: Arrow.FixedSizeList,
  vectors: readonly (Float32Array | null)[],
): Arrow.Data {
  const { listSize } = type;
  const values = new Float32Array(vectors.length * listSize);
  const present = new Uint8Array(Math.ceil(vectors.length / 64) * 8);
  let nullCount = 0;
  vectors.forEach((vector, row) => {
    if (vector === null) nullCount++;
    else {
      values.set(vector, row * listSize);
      present[row >> 3] = (present[row >> 3] ?? 0) | (1 << (row & 7));
    }
  });
  const child = arrow.makeData({
    type: new arrow.Float32(),
    length: values.length,
    nullCount: 0,
    data: values,
  });
  return arrow.makeData({ type, length: vectors.length, nullCount, nullBitmap: present, child });
}

/** Reads a batch of a query's result; columns that are not in `columns`, such as scores, are numbers. */
export function readRows<Name extends string>(
  batch: Arrow.RecordBatch,
  columns: Columns,
  names: readonly Name[],
): Record<Name, Cell>[] {
  const rows = Array.from({ length: batch.numRows }, () => ({}) as Record<Name, Cell>);
  for (const name of names) {
    const vector: Arrow.Vector | null = batch.getChild(name);
    if (vector === null) throw new Error(`the result has no column ${name}`);
    const read = cellReader(columns[name] ?? "number");
    for (const [index, row] of rows.entries()) row[name] = read(vector.get(index));
  }
  return rows;
}

/** As readRows, slice by slice, for batches of many rows. */
export async function* readRowsInSlices<Name extends string>(
  batches: AsyncIterable<Arrow.RecordBatch>,
  columns: Columns,
  names: readonly Name[],
): AsyncGenerator<Record<Name, Cell>[]> {
  for await (const batch of batches)
    for (let at = 0; at < batch.numRows; at += sliceRows) {
      yield readRows(batch.slice(at, at + sliceRows), columns, names);
      await setImmediate();
    }
}

function cellReader(kind: ColumnKind): (value: unknown) => Cell {
  if (kind === "text list") return (value) => [...(value as Iterable<string>)];
  if (kind === "optional vector")
    // A copy: Arrow's array is a view that would keep the whole batch alive.
    return (value) => (value === null ? null : (value as Arrow.Vector<Arrow.Float32>).toArray().slice());
  return (value) => value as Cell;
}

/** The bytes of a text cell, in UTF-8: from `start` up to `end`. */
export interface TextCell {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** Reads the cells of a text column without making strings of them; they are valid as long as the batch is kept. */
export function textCells(batch: Arrow.RecordBatch, name: string): (row: number) => TextCell {
  const { values, valueOffsets } = dataOf<Arrow.Utf8>(batch, name);
  return (row) => ({ bytes: values, start: valueOffsets[row] ?? 0, end: valueOffsets[row + 1] ?? 0 });
}

/** Reads the cells of a column of vectors, none of which is null, as views of the batch. */
export function vectorCells(batch: Arrow.RecordBatch, name: string): (row: number) => Float32Array {
  const { type, children } = dataOf<Arrow.FixedSizeList<Arrow.Float32>>(batch, name);
  const values = (children[0] as Arrow.Data<Arrow.Float32>).values;
  return (row) => values.subarray(row * type.listSize, (row + 1) * type.listSize);
}

/** A column of a batch as it came from LanceDB: one piece from its start. */
function dataOf<Type extends Arrow.DataType>(batch: Arrow.RecordBatch, name: string): Arrow.Data<Type> {
  const data = (batch.getChild(name) as Arrow.Vector<Type> | null)?.data[0];
  if (data?.offset !== 0) throw new Error(`the result has no column ${name} in one piece`);
  return data;
}
