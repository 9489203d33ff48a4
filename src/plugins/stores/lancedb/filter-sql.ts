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

/** A filter in the two ways in which a search applies it. */
export interface Conditions {
  /** The whole filter; undefined if it excludes nothing. */
  readonly all: string | undefined;
  /**
   * The filter without its bound on quality, which nearly every search has and nearly every chunk meets: looking at
   * the rows that were found costs a search one or two milliseconds less than a condition.
   */
  readonly butQuality: string | undefined;
  readonly minQuality: number;
}

export function conditionsOf(filter: ChunkFilter = {}): Conditions {
  const { minQuality, ...rest } = filter;
  return { all: filterSql(filter), butQuality: filterSql(rest), minQuality: minQuality ?? -Infinity };
}

/** The condition, or undefined if the filter excludes nothing. */
function filterSql(filter: ChunkFilter): string | undefined {
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
