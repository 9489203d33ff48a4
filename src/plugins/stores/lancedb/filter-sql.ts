// Compiles a filter into a condition on rows of the chunks table. It may not drop a condition it does not know.
import type { ChunkFilter } from "../../../core/plugin-api.js";
import { allOf, anyOf, text, texts } from "./sql.js";

/** The columns of a chunk row that repeat its document's, so that one condition filters chunks. */
export const filterColumns = ["categoryKey", "topicKey", "date", "tagKeys", "pathKey"] as const;

type Compilers = {
  [Key in keyof ChunkFilter]-?: (value: NonNullable<ChunkFilter[Key]>) => string | undefined;
};

// An absent column is NULL, and a comparison with NULL is not true: a document without a date matches no bound.
const compilers: Compilers = {
  categoryKey: (key) => `categoryKey = ${text(key)}`,
  topicKey: (key) => `topicKey = ${text(key)} OR starts_with(topicKey, ${text(`${key}/`)})`,
  pathIncludes: (expressions) => nonEmpty(expressions, () => anyOf(expressions.map(matchesPath))),
  pathExcludes: (expressions) => nonEmpty(expressions, () => `NOT (${anyOf(expressions.map(matchesPath))})`),
  contentIncludes: (expressions) => nonEmpty(expressions, () => allOf(expressions.map(matchesContent)) ?? ""),
  contentExcludes: (expressions) =>
    nonEmpty(expressions, () => `NOT (${anyOf(expressions.map(matchesContent))})`),
  tagKeysAny: (keys) => nonEmpty(keys, () => `array_has_any(tagKeys, make_array(${texts(keys)}))`),
  tagKeysAll: (keys) => nonEmpty(keys, () => `array_has_all(tagKeys, make_array(${texts(keys)}))`),
  dateFrom: (date) => `date >= ${text(date)}`,
  dateTo: (date) => `date <= ${text(date)}`,
  minQuality: (quality) => `quality >= ${quality}`,
};

/**
 * A filter in the ways in which a search applies it. Some conditions are cheaper to look at in the rows that were found
 * than for LanceDB to look at in all rows: the first rounds leave them to `passes`, and a search that has still not
 * enough then asks with all.
 */
export interface Conditions {
  /** The whole filter; undefined if it excludes nothing. */
  readonly all: string | undefined;
  /** The filter without what `passes` looks at. */
  readonly first: string | undefined;
  /** Rounds that are asked with `first`. */
  readonly firstRounds: number;
  /** The columns that `passes` reads. */
  readonly columns: readonly PassColumn[];
  passes(row: Readonly<Partial<Record<PassColumn, unknown>>>): boolean;
}

type PassColumn = "quality" | "contentKey";

/** A bound that nearly every search has and nearly every chunk meets: without it a search takes a millisecond or two less. */
const usualQuality = 0.3;

/** @param includes stands for the condition on `contentIncludes`, if that was looked up before */
export function conditionsOf(filter: ChunkFilter = {}, includes?: string): Conditions {
  const { minQuality, contentExcludes, ...others } = filter;
  const { contentIncludes, ...rest } = others;
  const sql = (part: ChunkFilter): string | undefined =>
    includes === undefined
      ? filterSql({ ...part, ...(contentIncludes && { contentIncludes }) })
      : both(filterSql(part), includes);
  const quality = minQuality !== undefined && minQuality <= usualQuality ? minQuality : undefined;
  const excludes = (contentExcludes ?? []).map((expression) => new RegExp(expression, "u"));
  return {
    all: sql({
      ...rest,
      ...(minQuality !== undefined && { minQuality }),
      ...(contentExcludes && { contentExcludes }),
    }),
    first: sql({ ...rest, ...(minQuality !== undefined && quality === undefined && { minQuality }) }),
    // A word that is to be excluded may be in half of the rows.
    firstRounds: excludes.length > 0 ? 2 : quality !== undefined ? 1 : 0,
    columns: [
      ...(quality === undefined ? [] : (["quality"] as const)),
      ...(excludes.length === 0 ? [] : (["contentKey"] as const)),
    ],
    passes: (row) =>
      (quality === undefined || (row.quality as number) >= quality) &&
      !excludes.some((expression) => expression.test(row.contentKey as string)),
  };
}

function both(one: string | undefined, other: string): string {
  return allOf([...(one === undefined ? [] : [one]), other]) ?? other;
}

/** The condition, or undefined if the filter excludes nothing. */
export function filterSql(filter: ChunkFilter): string | undefined {
  const conditions = (Object.keys(compilers) as (keyof ChunkFilter)[]).map((key) => compile(key, filter));
  return allOf(conditions.filter((condition) => condition !== undefined));
}

function compile(key: keyof ChunkFilter, filter: ChunkFilter): string | undefined {
  const value = filter[key];
  // The table of compilers ties each key to the type of its value; TypeScript loses that in the union.
  const compiler = compilers[key] as (value: unknown) => string | undefined;
  return value === undefined ? undefined : compiler(value);
}

function nonEmpty(list: readonly string[], write: () => string): string | undefined {
  return list.length === 0 ? undefined : write();
}

/** The whole key: an expression is wrapped, so that an alternative in it does not escape the anchors. */
function matchesPath(expression: string): string {
  return `regexp_like(pathKey, ${text(`^(?:${expression})$`)})`;
}

function matchesContent(expression: string): string {
  return `regexp_like(contentKey, ${text(expression)})`;
}
