// Why a search found nothing, where its conditions let nothing through: a filter or phrase that no passage meets by
// itself, most often a name that is not there; or all of them together. Says nothing of what was found.
import type { ChunkFilter, VectorStore } from "../plugin-api.js";
import { shortened } from "../text/shortened.js";
import { mostUsed, nearestKnown, readKnownNames, type KnownNames, type NameKind } from "./known-names.js";
import type { SearchFilters } from "./search-reply.js";

/** A condition by itself, with what to say if nothing meets it. */
interface Part {
  readonly kind: "filters" | "phrases" | "exclusions";
  readonly filter: ChunkFilter;
  /** Without its full stop. */
  readonly note: string;
  /** What may be a slip of the finger. */
  readonly names?: { readonly kind: NameKind; readonly values: readonly string[] };
}

/** What was asked for, as it is shown. */
export interface Asked {
  readonly applied: SearchFilters;
  readonly phrases: readonly string[];
}

const notesMax = 8;
/** Entries of a list of tags that are looked at, each with a look into the store or at the names. */
const tagsMax = 8;
/** Phrases looked at: each costs a look at the text of all passages. */
const phrasesMax = 3;
/** Names that a note suggests for a list of names. */
const suggestionsMax = 3;
/** Names that a note lists where it can suggest none. */
const listedMax = 5;
/** Characters of a value that a note repeats. */
const shownLength = 80;
/** Characters of a name in a list. */
const listedLength = 40;

/**
 * Notes for the conditions that no passage meets; for searches that found nothing. Each is looked at alone, and then all
 * together. At most 8 notes.
 * @param filter with the conditions of the query
 * @throws KbError KB_CANCELLED, KB_STORE_*
 */
export async function notesOfUnmatched(
  store: VectorStore,
  filter: ChunkFilter,
  asked: Asked,
  signal: AbortSignal,
): Promise<string[]> {
  const isMet = async (conditions: ChunkFilter): Promise<boolean> =>
    (await store.filteredChunks(conditions, 1)).length > 0;
  const parts = partsOf(filter, asked);
  const met = await Promise.all(parts.map((part) => isMet(part.filter)));
  const unmet = parts.filter((_part, index) => met[index] === false);
  if (unmet.length > 0) return withNames(store, unmet.slice(0, notesMax), signal);

  if (await isMet(filter)) return [];
  const kinds = listed([...new Set(parts.map(({ kind }) => kind))]);
  const { minQuality, ...others } = filter;
  if (minQuality !== undefined && (await isMet(others))) {
    const which = parts.length > 0 ? ` that meets the ${kinds}` : "";
    return [`Every passage${which} has a quality below ${minQuality} (min_quality), so none is shown.`];
  }
  return parts.length > 1 ? [`No passage meets all of the ${kinds} together.`] : [];
}

function partsOf(filter: ChunkFilter, { applied, phrases }: Asked): Part[] {
  return [...partsOfFilters(filter, applied), ...partsOfQuery(filter, phrases)];
}

function partsOfFilters(filter: ChunkFilter, applied: SearchFilters): Part[] {
  const { categoryKey, topicKey, tagKeysAll, tagKeysAny, pathIncludes, pathExcludes, dateFrom, dateTo } =
    filter;
  const kind = "filters";
  const parts: Part[] = [];
  if (categoryKey !== undefined)
    parts.push({ kind, filter: { categoryKey }, ...unknown("category", applied.category) });
  if (topicKey !== undefined) parts.push({ kind, filter: { topicKey }, ...unknown("topic", applied.topic) });
  if (tagKeysAny !== undefined)
    parts.push({
      kind,
      filter: { tagKeysAny },
      note: `No document has one of the tags ${shown(applied.tags_any?.join(", "))}`,
      names: { kind: "tag", values: (applied.tags_any ?? []).slice(0, tagsMax) },
    });
  if (pathIncludes !== undefined || pathExcludes !== undefined)
    parts.push({
      kind,
      filter: { ...(pathIncludes && { pathIncludes }), ...(pathExcludes && { pathExcludes }) },
      note: `No path matches ${shown(applied.path_globs?.join(", "))}`,
    });
  if (dateFrom !== undefined || dateTo !== undefined)
    parts.push({
      kind,
      filter: { ...(dateFrom !== undefined && { dateFrom }), ...(dateTo !== undefined && { dateTo }) },
      note: "No document has a date in that range; one without a date in its frontmatter is in none",
    });
  for (const [index, key] of (tagKeysAll ?? []).slice(0, tagsMax).entries())
    parts.push({ kind, filter: { tagKeysAll: [key] }, ...unknown("tag", applied.tags_all?.[index]) });
  return parts;
}

function partsOfQuery({ contentIncludes, contentExcludes }: ChunkFilter, phrases: readonly string[]): Part[] {
  const parts = new Map<string, Part>();
  for (const [index, pattern] of (contentIncludes ?? []).entries())
    if (parts.size < phrasesMax && !parts.has(pattern))
      parts.set(pattern, {
        kind: "phrases",
        filter: { contentIncludes: [pattern] },
        note: `No passage holds the phrase ${shown(phrases[index])}`,
      });
  const exclusions: Part = {
    kind: "exclusions",
    filter: { ...(contentExcludes && { contentExcludes }) },
    note: "No passage is without what the query excludes",
  };
  return [...parts.values(), ...(contentExcludes === undefined ? [] : [exclusions])];
}

function unknown(kind: NameKind, value = ""): Pick<Part, "note" | "names"> {
  return { note: `No document has the ${kind} ${shown(value)}`, names: { kind, values: [value] } };
}

/** The notes of parts as sentences, each with the names that may have been meant, or once for each kind those that are there. */
async function withNames(store: VectorStore, parts: readonly Part[], signal: AbortSignal): Promise<string[]> {
  const hasNames = parts.some(({ names }) => names !== undefined);
  const known = hasNames ? await readKnownNames(store, signal) : undefined;
  const listedKinds = new Set<NameKind>();
  const notes: string[] = [];
  for (const { note, names } of parts) {
    if (known === undefined || names === undefined) {
      notes.push(`${note}.`);
      continue;
    }
    const meant = await suggested(names.values, known[names.kind], signal);
    const isListed = meant !== "" || listedKinds.has(names.kind);
    notes.push(note + (meant || (isListed ? "." : existing(known[names.kind]))));
    if (meant === "") listedKinds.add(names.kind);
  }
  return notes;
}

async function suggested(
  wrong: readonly string[],
  names: KnownNames[NameKind],
  signal: AbortSignal,
): Promise<string> {
  const near = new Set<string>();
  for (const value of wrong) {
    const nearest = await nearestKnown(value, names, signal);
    if (nearest !== undefined) near.add(shown(nearest));
  }
  return near.size === 0 ? "" : `; did you mean ${[...near].slice(0, suggestionsMax).join(" or ")}?`;
}

function existing(names: KnownNames[NameKind]): string {
  if (names.size === 0) return ".";
  const used = mostUsed(names, listedMax).map((name) => shown(name, listedLength));
  return `; there are: ${used.join(", ")}${names.size > used.length ? " and more" : ""}.`;
}

function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${last}` : last;
}

function shown(value = "", most = shownLength): string {
  return JSON.stringify(shortened(value, most));
}
