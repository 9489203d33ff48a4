// Reads exclude_paths: what a search result names as well as globs.
import { parseKbUri } from "../documents/document-uri.js";
import { KbError } from "../errors.js";
import { limits } from "../limits.js";
import { GlobError, globToRegExp } from "../search/glob.js";
import { fold } from "../text/fold.js";

const special = /[\\^$.*+?()[\]{}|]/g;

/**
 * Regular expressions for ChunkFilter.pathExcludes. Each entry stands for the path that it spells, whatever characters
 * are in it, and for what it matches as a glob.
 * @throws KbError KB_SEARCH_FILTER
 */
export function excludedPaths(entries: readonly string[]): string[] {
  if (entries.length > limits.filterEntries)
    throw new KbError(
      "KB_SEARCH_FILTER",
      `exclude_paths has ${entries.length} entries; at most ${limits.filterEntries} are allowed`,
    );
  return [...new Set(entries.flatMap(expressionsOf))];
}

function expressionsOf(entry: string): string[] {
  const bytes = Buffer.byteLength(entry);
  if (bytes > limits.filterEntryBytes)
    throw refusal(entry, `is ${bytes} bytes long; at most ${limits.filterEntryBytes} are allowed`);
  if (entry.trim() === "") throw refusal(entry, "is blank");
  if (/^kb:\/\//iu.test(entry)) {
    const resource = parseKbUri(entry);
    if (resource.kind === "topic") throw refusal(entry, "names a topic; use a glob such as folder/**");
    return [literal(resource.path)];
  }
  try {
    return [literal(entry), globToRegExp(entry.trim())];
  } catch (error) {
    if (error instanceof GlobError) throw refusal(entry, error.message);
    throw error;
  }
}

function literal(path: string): string {
  return `^${fold(path).replace(special, String.raw`\$&`)}$`;
}

function refusal(entry: string, reason: string): KbError {
  const shown = JSON.stringify(Array.from(entry).slice(0, 80).join(""));
  return new KbError("KB_SEARCH_FILTER", `exclude_paths: ${shown} ${reason}`);
}
