// Why a search with filters found nothing, where a filter by itself lets nothing through: most often a name that is not
// there.
import type { ChunkFilter, VectorStore } from "../plugin-api.js";
import type { SearchFilters } from "./search-reply.js";

/** A filter by itself, with what to say if nothing meets it. */
interface Part {
  readonly filter: ChunkFilter;
  readonly note: string;
}

/** Filters looked at: each costs a look into the store. */
const partsMax = 8;
/** Characters of a value that a note repeats. */
const shownLength = 80;

/**
 * Notes for the filters that no passage meets, each looked at alone; for searches that found nothing.
 * @throws KbError KB_STORE_*
 */
export async function notesOfUnmatched(
  store: VectorStore,
  filter: ChunkFilter,
  applied: SearchFilters,
): Promise<string[]> {
  const parts = partsOf(filter, applied).slice(0, partsMax);
  const found = await Promise.all(parts.map((part) => store.filteredChunks(part.filter, 1)));
  return parts.filter((_part, index) => found[index]?.length === 0).map(({ note }) => note);
}

function partsOf(filter: ChunkFilter, applied: SearchFilters): Part[] {
  const { categoryKey, topicKey, tagKeysAll, tagKeysAny, pathIncludes, dateFrom, dateTo } = filter;
  const parts: Part[] = [];
  if (categoryKey !== undefined)
    parts.push({ filter: { categoryKey }, note: unknown("category", applied.category) });
  if (topicKey !== undefined) parts.push({ filter: { topicKey }, note: unknown("topic", applied.topic) });
  for (const [index, key] of (tagKeysAll ?? []).entries())
    parts.push({
      filter: { tagKeysAll: [key] },
      note: `No document has the tag ${shown(applied.tags_all?.[index])}.`,
    });
  if (tagKeysAny !== undefined)
    parts.push({
      filter: { tagKeysAny },
      note: `No document has one of the tags ${shown(applied.tags_any?.join(", "))}.`,
    });
  if (pathIncludes !== undefined)
    parts.push({
      filter: { pathIncludes },
      note: `No path matches ${shown(applied.path_globs?.join(", "))}.`,
    });
  if (dateFrom !== undefined || dateTo !== undefined)
    parts.push({
      filter: { ...(dateFrom !== undefined && { dateFrom }), ...(dateTo !== undefined && { dateTo }) },
      note: "No document has a date in that range; one without a date in its frontmatter is in none.",
    });
  return parts;
}

function unknown(what: string, value: string | undefined): string {
  return `No document has the ${what} ${shown(value)}; list_topics shows which there are.`;
}

function shown(value = ""): string {
  const characters = Array.from(value);
  return JSON.stringify(
    characters.length > shownLength ? `${characters.slice(0, shownLength).join("")}…` : value,
  );
}
