// What a document says about itself and what its path says about it: title, category, topic, date, tags. Reads
// metadata that strangers wrote: own properties only, every shape people use.
import type { JsonValue, ParsedDocument } from "../plugin-api.js";
import { fold } from "../text/fold.js";
import { topicOf } from "./document-path.js";

/** Fields ending in `Key` are folded for comparison. */
export interface DocumentDescription {
  readonly title: string;
  readonly category?: string;
  readonly categoryKey?: string;
  /** The first one or two directories, "" in the root. */
  readonly topic: string;
  readonly topicKey: string;
  /** YYYY-MM-DD */
  readonly date?: string;
  /** As written, without `#`, in order, each once. */
  readonly tags: string[];
  /** The tags and, of a nested tag `a/b`, the tags above it: who asks for `a` means `a/b` too. */
  readonly tagKeys: string[];
  readonly pathKey: string;
}

export function describeDocument(path: string, parsed: ParsedDocument): DocumentDescription {
  const { frontmatter } = parsed;
  const directories = path.split("/").slice(0, -1);
  const category = words(own(frontmatter, "category")) ?? directories[0];
  const topic = topicOf(path);
  const date = ["date", "updated", "created"]
    .map((key) => normalizeDate(own(frontmatter, key)))
    .find((each) => each !== undefined);
  const tags = uniqueTags([own(frontmatter, "tags"), own(frontmatter, "tag")]);
  return {
    title: words(parsed.title) ?? fileTitle(path),
    ...(category !== undefined && { category, categoryKey: fold(category) }),
    topic,
    topicKey: fold(topic),
    ...(date !== undefined && { date }),
    tags,
    tagKeys: [...new Set(tags.flatMap(withTagsAbove).map(fold))],
    pathKey: fold(path),
  };
}

function own(fields: { [key: string]: JsonValue }, key: string): JsonValue | undefined {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

/** A text that says something, or a number, as text. */
function words(value: JsonValue | undefined): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const text = String(value).trim();
  return text === "" ? undefined : text;
}

function fileTitle(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}

/** A date, or a date and a time; `[[…]]` around it links to a daily note. The time zone is the author's own. */
const datePattern =
  /^(?:\[\[)?(\d{4})(?:([-/.])(\d{1,2})\2(\d{1,2})|年(\d{1,2})月(\d{1,2})日)(?:\]\])?(?:[T ].*|\s*\(.*)?$/;

/** YYYY-MM-DD, or undefined if the value is no day of the calendar. */
function normalizeDate(value: JsonValue | undefined): string | undefined {
  if (typeof value !== "string") return undefined;
  const match = datePattern.exec(value.normalize("NFKC").trim());
  if (match === null) return undefined;
  const year = Number(match[1]);
  const month = Number(match[3] ?? match[5]);
  const day = Number(match[4] ?? match[6]);
  const time = Date.UTC(year, month - 1, day);
  const exists = month >= 1 && month <= 12 && new Date(time).getUTCDate() === day && day >= 1;
  return exists ? [match[1], month, day].map((part) => String(part).padStart(2, "0")).join("-") : undefined;
}

function uniqueTags(values: readonly (JsonValue | undefined)[]): string[] {
  const tags = new Map<string, string>();
  for (const tag of values.flatMap((value) => tagsOf(value, true))) {
    const key = fold(tag);
    if (!tags.has(key)) tags.set(key, tag);
  }
  return [...tags.values()];
}

/**
 * @param isAlone whether the value is the whole field: then a text without commas is a list of words; a list's entry
 * may be a tag of several words
 */
function tagsOf(value: JsonValue | undefined, isAlone: boolean): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => tagsOf(entry, false));
  if (typeof value === "number" || value === true || value === false) return [String(value)];
  if (typeof value !== "string") return [];
  // What is left of a list that is not valid YAML: [#a, #b].
  const text = value.trim().replace(/^\[(?!\[)([\s\S]*)\]$/, "$1");
  const hasCommas = /[,，、]/.test(text);
  return text
    .split(/[,，、\n]/)
    .flatMap((part) => ((isAlone && !hasCommas) || /^\s*[#＃]/.test(part) ? part.split(/\s+/) : [part]))
    .map(bareTag)
    .filter((tag) => tag !== "");
}

/** Without its marks: `#a`, `"a"`, `[[a]]`, `a/`. */
function bareTag(text: string): string {
  return text
    .trim()
    .replace(/^(["'])(.*)\1$/, "$2")
    .replace(/^\[\[(.*)\]\]$/, "$1")
    .replace(/^[#＃]+/, "")
    .replace(/^\/+|\/+$/g, "")
    .trim();
}

function withTagsAbove(tag: string): string[] {
  const parts = tag.split("/");
  return parts.map((_, index) => parts.slice(0, parts.length - index).join("/"));
}
