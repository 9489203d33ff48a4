// Reads exclude_paths: what a search result names as well as globs.
import { parseKbUri } from "../documents/document-uri.js";
import { isKbError, KbError } from "../errors.js";
import { limits } from "../limits.js";
import type { VectorStore } from "../plugin-api.js";
import { throwIfCancelled } from "../search/cancelled.js";
import { GlobError, globToRegExp, pathToRegExp } from "../search/glob.js";
import { fold } from "../text/fold.js";
import { shortened } from "../text/shortened.js";

/** An entry that says something, not yet compared with the index. */
export interface ExcludedEntry {
  readonly written: string;
  /** The paths that it may spell. */
  readonly spelled: readonly string[];
  readonly isUri: boolean;
}

/** What the walk does not enter. */
export interface Exclusion {
  /** Regular expressions for ChunkFilter.pathExcludes. */
  readonly expressions: readonly string[];
  /** What the reader should know of entries that exclude nothing. */
  readonly notes: readonly string[];
}

/**
 * The entries, each once.
 * @throws KbError KB_SEARCH_FILTER
 */
export function readExcludedEntries(entries: readonly string[]): ExcludedEntry[] {
  if (entries.length > limits.filterEntries)
    throw new KbError(
      "KB_SEARCH_FILTER",
      `exclude_paths has ${entries.length} entries; at most ${limits.filterEntries} are allowed`,
    );
  return [...new Set(entries)].map((written) => {
    const bytes = Buffer.byteLength(written);
    if (bytes > limits.filterEntryBytes)
      throw refusal(written, `is ${bytes} bytes long; at most ${limits.filterEntryBytes} are allowed`);
    if (written.trim() === "") throw refusal(written, "is blank");
    if (/^\s*kb:\/\//iu.test(written)) return { written, spelled: [pathOfUri(written)], isUri: true };
    return { written, spelled: [written, written.trim().replace(/^(?:\.?\/)+/u, "")], isUri: false };
  });
}

function pathOfUri(written: string): string {
  try {
    const resource = parseKbUri(written.trim());
    if (resource.kind === "document") return resource.path;
  } catch (error) {
    throw isKbError(error) ? refusal(written, `is no URI of a document: ${error.message}`) : error;
  }
  throw refusal(written, "names a topic; use a glob such as folder/**");
}

/**
 * An entry that spells an indexed path, without regard to case and Unicode form, stands for that path alone; any other is
 * a glob, or, if it is no valid one, the path that it spells.
 * @throws KbError KB_SEARCH_FILTER, KB_CANCELLED, KB_STORE_*
 */
export async function excludedPaths(
  store: VectorStore,
  entries: readonly ExcludedEntry[],
  signal: AbortSignal,
): Promise<Exclusion> {
  if (entries.length === 0) return { expressions: [], notes: [] };
  const index = await indexedAmong(store, entries, signal);
  const expressions: string[] = [];
  const idle: string[] = [];
  for (const entry of entries) {
    const { written, spelled } = entry;
    const path = spelled.find((known) => index.paths.has(fold(known)));
    const glob = path === undefined ? globOf(entry) : undefined;
    expressions.push(glob ?? pathToRegExp(path ?? written));
    const excludes =
      path !== undefined || (glob !== undefined && (await mayMatch(store, entry, glob, index.names)));
    if (!excludes) idle.push(written);
  }
  return { expressions, notes: idle.length > 0 ? [noteOf(idle)] : [] };
}

interface IndexedAmong {
  /** Folded. */
  readonly paths: ReadonlySet<string>;
  /** Folded names of files, of those that occur in an entry. */
  readonly names: ReadonlySet<string>;
}

async function indexedAmong(
  store: VectorStore,
  entries: readonly ExcludedEntry[],
  signal: AbortSignal,
): Promise<IndexedAmong> {
  const wanted = new Set(entries.flatMap(({ spelled }) => spelled.map(fold)));
  const paths = new Set<string>();
  const names = new Set<string>();
  for await (const batch of store.documents(["pathKey"])) {
    throwIfCancelled(signal);
    for (const { pathKey } of batch) {
      if (wanted.has(pathKey)) paths.add(pathKey);
      const name = pathKey.slice(pathKey.lastIndexOf("/") + 1);
      if (wanted.has(name)) names.add(name);
    }
  }
  return { paths, names };
}

/** The regular expression of an entry as a glob; undefined if it is none. */
function globOf({ written, isUri }: ExcludedEntry): string | undefined {
  if (isUri) return undefined;
  const glob = written.trim();
  if (glob.startsWith("!"))
    throw new KbError("KB_SEARCH_FILTER", `exclude_paths: ${quoted(written)} begins with "!"`, {
      hint: String.raw`Every entry excludes already: leave the "!" out. To keep to some documents use topic or category; a file whose name begins with "!" is written \!name.`,
    });
  try {
    return globToRegExp(glob);
  } catch (error) {
    if (error instanceof GlobError) return undefined;
    throw error;
  }
}

/** Whether a glob excludes something. Most with wildcards are taken at their word: looking costs a search. */
async function mayMatch(
  store: VectorStore,
  { written, spelled }: ExcludedEntry,
  expression: string,
  names: ReadonlySet<string>,
): Promise<boolean> {
  if (/\/\s*$/u.test(written)) return true;
  if (!/[*?[{\\]/u.test(written)) return spelled.some((name) => names.has(fold(name)));
  // Several globs in one text, as lists of paths are written elsewhere.
  if (!written.includes(",")) return true;
  return (await store.filteredChunks({ pathIncludes: [expression] }, 1)).length > 0;
}

/** Entries that a note repeats. */
const notedEntries = 3;

function noteOf(idle: readonly string[]): string {
  const more = idle.length - notedEntries;
  const shown = idle.slice(0, notedEntries).map(quoted).join(", ");
  return `No indexed document is excluded by ${shown}${more > 0 ? ` and ${more} more` : ""} in exclude_paths: each entry is one path or one glob; a folder is written folder/**.`;
}

function quoted(entry: string): string {
  return JSON.stringify(shortened(entry, 80));
}

function refusal(entry: string, reason: string): KbError {
  return new KbError("KB_SEARCH_FILTER", `exclude_paths: ${quoted(entry)} ${reason}`);
}
