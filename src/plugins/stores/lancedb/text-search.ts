// The search by words: LanceDB's full-text indexes find candidates, exact BM25 orders them.
import type { FullTextQuery } from "@lancedb/lancedb";
import type { ScoredChunk, TextQuery } from "../../../core/plugin-api.js";
import { readRows, textCells } from "./arrow-rows.js";
import { bm25, termsIn, type FieldOccurrences } from "./bm25.js";
import { bestOf, keyOf, lowestFound, type Candidate } from "./candidates.js";
import { chunkColumns, termColumns } from "./columns.js";
import type { Tables } from "./database.js";
import type { Conditions } from "./filter-sql.js";
import type { Lance } from "./lance.js";
import type { Lexicon } from "./lexicon.js";
import { termScanner } from "./term-scanner.js";

const ownColumns = ["path", "position", "_score"] as const;

/** The k best chunks by words that meet the conditions. */
export async function textSearch(
  { lancedb }: Lance,
  tables: Tables,
  lexicon: Lexicon,
  query: TextQuery,
  k: number,
  conditions: Conditions,
): Promise<ScoredChunk[]> {
  const clauses = query.clauses.filter(({ terms, weight }) => terms.length > 0 && weight > 0);
  if (clauses.length === 0 || k < 1) return [];
  const fields = termColumns
    .filter((column) => clauses.some(({ field }) => field === column))
    .map((field) => ({ field, scan: termScanner(termsIn(field, { clauses })) }));
  const columns = [...ownColumns, ...conditions.columns];
  const native = nativeQuery(lancedb, { clauses });
  const statistics = lexicon.statistics(
    tables,
    clauses.flatMap(({ terms }) => terms),
  );
  // Awaited below; a failure of the search must not leave it unhandled.
  statistics.catch(() => undefined);

  const fetch = async (count: number, round: number): Promise<Candidate[]> => {
    const where = round < conditions.firstRounds ? conditions.first : conditions.all;
    const search = tables.chunks.query().fullTextSearch(native);
    if (where !== undefined) search.where(where);
    const batches = [];
    const selected = [...columns, ...fields.map(({ field }) => field)];
    for await (const batch of search.select(selected).limit(count)) batches.push(batch);
    const score = bm25({ clauses }, await statistics);
    return batches.flatMap((batch) => {
      const scans = fields.map(({ field, scan }) => ({ field, scan, cell: textCells(batch, field) }));
      return readRows(batch, chunkColumns, columns).map((row, index) => {
        const chunk: FieldOccurrences = Object.fromEntries(
          scans.map(({ field, scan, cell }) => [field, scan(cell(index))]),
        );
        return {
          ...keyOf(row),
          score: score(chunk),
          found: row._score as number,
          passes: conditions.passes(row),
        };
      });
    });
  };
  return bestOf(k, fetch, ceiling, conditions.firstRounds);
}

/** Every chunk that LanceDB ranks lower it also underrates, if at all, by no more than those it found. */
function ceiling(candidates: readonly Candidate[]): number {
  const drift = candidates.reduce((most, { score, found }) => Math.max(most, score / found), 0);
  return lowestFound(candidates) * drift * (1 + floatNoise);
}

/** Relative error of LanceDB's 32-bit sums. */
const floatNoise = 1e-5;

function nativeQuery(lancedb: Lance["lancedb"], { clauses }: TextQuery): FullTextQuery {
  return new lancedb.BooleanQuery(
    clauses.map(({ field, terms, weight }) => [
      lancedb.Occur.Should,
      new lancedb.MatchQuery(terms.join(" "), field, { boost: weight }),
    ]),
  );
}
