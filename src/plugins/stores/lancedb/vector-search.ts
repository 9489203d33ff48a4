// The search by vector: LanceDB finds the nearest, exact cosine similarity orders them.
import { KbError, type ScoredChunk } from "../../../core/plugin-api.js";
import { readRows, vectorCells } from "./arrow-rows.js";
import { bestOf, keyOf, lowestFound, type Candidate } from "./candidates.js";
import { chunkColumns } from "./columns.js";
import type { Tables } from "./database.js";
import type { Conditions } from "./filter-sql.js";

/** Error of LanceDB's 32-bit distances, which also differ in the last bit with and without an index. */
const floatNoise = 1e-5;

const ownColumns = ["path", "position", "_distance"] as const;

/** The k nearest chunks that meet the conditions. */
export async function vectorSearch(
  tables: Tables,
  vector: Float32Array,
  k: number,
  conditions: Conditions,
): Promise<ScoredChunk[]> {
  if (k < 1) return [];
  const columns = [...ownColumns, ...conditions.columns];
  const fetch = async (count: number, round: number): Promise<Candidate[]> => {
    const where = round < conditions.firstRounds ? conditions.first : conditions.all;
    const search = tables.chunks.query().nearestTo(vector).distanceType("cosine");
    if (where !== undefined) search.where(where);
    const candidates: Candidate[] = [];
    for await (const batch of search.select([...columns, "vector"]).limit(count)) {
      const vectorOf = vectorCells(batch, "vector");
      for (const [index, row] of readRows(batch, chunkColumns, columns).entries())
        candidates.push({
          ...keyOf(row),
          score: cosine(vector, vectorOf(index)),
          found: 1 - (row._distance as number),
          passes: conditions.passes(row),
        });
    }
    return candidates;
  };
  try {
    return await bestOf(
      k,
      fetch,
      (candidates) => lowestFound(candidates) + floatNoise,
      conditions.firstRounds,
    );
  } catch (error) {
    // Looked at only now: asking for the schema costs every search a millisecond.
    checkDimensions(vector, await vectorDimensions(tables));
    throw error;
  }
}

/** Length of the vectors of a table. */
export async function vectorDimensions({ chunks }: Tables): Promise<number> {
  const schema = await chunks.schema();
  const type: unknown = schema.fields.find(({ name }) => name === "vector")?.type;
  return (type as { listSize: number }).listSize;
}

/** @throws KbError KB_STORE_MISMATCH */
export function checkDimensions(vector: Float32Array, dimensions: number): void {
  if (vector.length !== dimensions)
    throw new KbError(
      "KB_STORE_MISMATCH",
      `A vector has ${vector.length} dimensions, the vectors of the index have ${dimensions}`,
    );
}

function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  let squareA = 0;
  let squareB = 0;
  for (let i = 0; i < a.length; i++) {
    const x = a[i] ?? 0;
    const y = b[i] ?? 0;
    dot += x * y;
    squareA += x * x;
    squareB += y * y;
  }
  return dot / Math.sqrt(squareA * squareB);
}
