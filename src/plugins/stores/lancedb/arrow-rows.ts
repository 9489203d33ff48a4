// Rows to Arrow tables and back, column by column: LanceDB's own conversion takes three times as long.
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

/** An Arrow table of at least one row. */
export function arrowTable(
  arrow: ArrowLibrary,
  columns: Columns,
  rows: readonly Row[],
  dimensions = 0,
): Arrow.Table {
  const schema = arrowSchema(arrow, columns, dimensions);
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
  return new arrow.Table(schema, [new arrow.RecordBatch(schema, struct)]);
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

function cellReader(kind: ColumnKind): (value: unknown) => Cell {
  if (kind === "text list") return (value) => [...(value as Iterable<string>)];
  if (kind === "optional vector")
    // A copy: Arrow's array is a view that would keep the whole batch alive.
    return (value) => (value === null ? null : (value as Arrow.Vector<Arrow.Float32>).toArray().slice());
  return (value) => value as Cell;
}
