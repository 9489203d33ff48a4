// Checks the filters of a request and turns them into the conditions that a store applies.
import { KbError } from "../errors.js";
import { limits } from "../limits.js";
import type { ChunkFilter } from "../plugin-api.js";
import { fold } from "../text/fold.js";
import { GlobError, globToRegExp } from "./glob.js";
import type { SearchFilters } from "./search-reply.js";

/** `[quality_filter]`: whether chunks below the threshold are hidden unless asked for. */
export interface QualityFilter {
  readonly enabled: boolean;
  /** 0 to 1 */
  readonly threshold: number;
}

export interface CompiledFilters {
  readonly filter: ChunkFilter;
  /** The filters as understood, the default quality included. */
  readonly applied: SearchFilters;
}

/**
 * @param adviseOn what to do instead with a topic that is deeper than topics go; follows "is deeper than two directories;"
 * @throws KbError KB_SEARCH_FILTER that names the filter and the value
 */
export function compileFilters(
  filters: SearchFilters,
  quality: QualityFilter,
  adviseOn: (topic: string) => string = (topic) => `use path_globs: [${JSON.stringify(`${topic}/**`)}]`,
): CompiledFilters {
  const category = textOf("category", filters.category);
  const topic = topicOf(filters.topic, adviseOn);
  const globs = entriesOf("path_globs", filters.path_globs, (glob) => glob.trim());
  const tagsAny = entriesOf("tags_any", filters.tags_any, tagOf);
  const tagsAll = entriesOf("tags_all", filters.tags_all, tagOf);
  const dateFrom = dateOf("date_from", filters.date_from);
  const dateTo = dateOf("date_to", filters.date_to);
  if (dateFrom !== undefined && dateTo !== undefined && dateFrom > dateTo) {
    throw refusal("date_from", filters.date_from, `is after date_to, ${dateTo}`);
  }
  const minQuality = minQualityOf(filters, quality);
  const excludes = globs?.filter((glob) => glob.startsWith("!"));
  const includes = globs?.filter((glob) => !glob.startsWith("!"));

  return {
    filter: present<ChunkFilter>({
      categoryKey: category && fold(category),
      topicKey: topic && fold(topic),
      pathIncludes: nonEmpty(includes?.map((glob) => expressionOf(glob, glob))),
      pathExcludes: nonEmpty(excludes?.map((glob) => expressionOf(glob, glob.slice(1)))),
      tagKeysAny: tagsAny?.map(fold),
      tagKeysAll: tagsAll?.map(fold),
      dateFrom,
      dateTo,
      minQuality,
    }),
    applied: present<SearchFilters>({
      category,
      topic,
      path_globs: globs,
      tags_any: tagsAny,
      tags_all: tagsAll,
      date_from: dateFrom,
      date_to: dateTo,
      min_quality: minQuality,
      include_low_quality: filters.include_low_quality,
    }),
  };
}

function textOf(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (text === "") throw refusal(name, value, "is blank");
  checkLength(name, text);
  return text;
}

function topicOf(value: string | undefined, adviseOn: (topic: string) => string): string | undefined {
  const topic = textOf("topic", value)?.replace(/^(?:\.?\/)+|\/+$/g, "");
  if (topic === undefined) return undefined;
  if (topic === "") throw refusal("topic", value, "names no directory");
  if (topic.split("/").length > 2) {
    throw refusal("topic", value, `is deeper than two directories; ${adviseOn(topic)}`);
  }
  return topic;
}

function entriesOf(
  name: string,
  values: readonly string[] | undefined,
  read: (value: string) => string,
): string[] | undefined {
  if (values === undefined || values.length === 0) return undefined;
  if (values.length > limits.filterEntries) {
    throw new KbError(
      "KB_SEARCH_FILTER",
      `${name} has ${values.length} entries; at most ${limits.filterEntries} are allowed`,
    );
  }
  const entries = values.map((value) => {
    checkLength(name, value);
    const entry = read(value);
    if (entry === "") throw refusal(name, value, "is blank");
    return entry;
  });
  return [...new Set(entries)];
}

function tagOf(value: string): string {
  return value
    .trim()
    .replace(/^[#＃]+/, "")
    .replace(/^\/+|\/+$/g, "")
    .trim();
}

function dateOf(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const date = value.trim();
  checkLength(name, date);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw refusal(name, value, "is not a date of the form YYYY-MM-DD");
  const time = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date) {
    throw refusal(name, value, "is a date that does not exist");
  }
  return date;
}

function minQualityOf(filters: SearchFilters, quality: QualityFilter): number | undefined {
  const { min_quality: asked } = filters;
  if (asked !== undefined) {
    if (!(asked >= 0 && asked <= 1)) throw refusal("min_quality", asked, "is not between 0 and 1");
    return asked;
  }
  return quality.enabled && filters.include_low_quality !== true ? quality.threshold : undefined;
}

function expressionOf(written: string, glob: string): string {
  try {
    return globToRegExp(glob);
  } catch (error) {
    if (error instanceof GlobError) throw refusal("path_globs", written, error.message);
    throw error;
  }
}

function checkLength(name: string, value: string): void {
  const bytes = Buffer.byteLength(value);
  if (bytes > limits.filterEntryBytes) {
    throw refusal(name, value, `is ${bytes} bytes long; at most ${limits.filterEntryBytes} are allowed`);
  }
}

/** Characters of a refused value that an error repeats. */
const shownLength = 80;

function refusal(name: string, value: unknown, reason: string): KbError {
  const written = JSON.stringify(value);
  const shown = written.length > shownLength ? `${written.slice(0, shownLength)}…` : written;
  return new KbError("KB_SEARCH_FILTER", `${name}: ${shown} ${reason}`);
}

function nonEmpty<T>(list: T[] | undefined): T[] | undefined {
  return list?.length === 0 ? undefined : list;
}

/** Without the keys that are undefined: an absent filter is absent. */
function present<T extends object>(entries: { [Key in keyof T]: T[Key] | undefined }): T {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as T;
}
