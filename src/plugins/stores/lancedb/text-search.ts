// The search by words: LanceDB's full-text indexes find candidates, exact BM25 orders them.
import type { FullTextQuery } from "@lancedb/lancedb";
import type { ScoredChunk, TextQuery } from "../../../core/plugin-api.js";
import { readRows } from "./arrow-rows.js";
import { bm25, type FieldTerms } from "./bm25.js";
import { bestOf, keyOf, lowestFound, type Candidate } from "./candidates.js";
import { splitTerms } from "./chunk-rows.js";
import { chunkColumns, termColumns } from "./columns.js";
import type { Tables } from "./database.js";
import type { Lance } from "./lance.js";
import type { Lexicon } from "./lexicon.js";

/** The k best chunks by words. @param where condition that holds for every hit */
export async function textSearch(
  { lancedb }: Lance,
  tables: Tables,
  lexicon: Lexicon,
  query: TextQuery,
  k: number,
  where: string | undefined,
): Promise<ScoredChunk[]> {
  const clauses = query.clauses.filter(({ terms, weight }) => terms.length > 0 && weight > 0);
  if (clauses.length === 0 || k < 1) return [];
  const fields = termColumns.filter((column) => clauses.some(({ field }) => field === column));
  const columns = ["path", "position", ...fields, "_score"] as const;
  const native = nativeQuery(lancedb, { clauses });
  const statistics = lexicon.statistics(
    tables,
    clauses.flatMap(({ terms }) => terms),
  );
  // Awaited below; a failure of the search must not leave it unhandled.
  statistics.catch(() => undefined);

  const fetch = async (count: number): Promise<Candidate[]> => {
    const search = tables.chunks.query().fullTextSearch(native);
    if (where !== undefined) search.where(where);
    const batches = [];
    for await (const batch of search.select([...columns]).limit(count)) batches.push(batch);
    const score = bm25({ clauses }, await statistics);
    return batches.flatMap((batch) =>
      readRows(batch, chunkColumns, columns).map((row) => {
        const terms: FieldTerms = Object.fromEntries(fields.map((field) => [field, splitTerms(row[field])]));
        return { ...keyOf(row), score: score(terms), found: row._score as number };
      }),
    );
  };
  return bestOf(k, fetch, ceiling);
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
