// Which parser reads which file: the one place that decides. Built once from `[parsers].enabled` and frozen before
// the first file is read.
import { createHash } from "node:crypto";
import { KbError } from "../errors.js";
import type { MediaType } from "../plugin-api.js";
import { extensionOf } from "./document-path.js";

/** A parser as the registry is told of it: where it is, and what it claims. */
export interface RegisteredParser {
  readonly id: string;
  /** Version of its plugin. */
  readonly version: string;
  /** Without the dot. */
  readonly extensions: readonly string[];
  readonly mediaType: MediaType;
  readonly binary: boolean;
  /** Who offers it, for messages: "kb-mcp", or a package with its version. */
  readonly owner: string;
  /** URL of the plugin's module, which is loaded where files are parsed. */
  readonly moduleUrl: string;
  /** Checked by the parser's own schema; plain data. */
  readonly options: unknown;
}

export interface ParserEntry extends RegisteredParser {
  /** Id, version and a hash of the options if there are any, as stored with each document: "md@1", "md@1+1a2b3c4d". */
  readonly label: string;
}

export interface ParserRegistry {
  readonly entries: readonly ParserEntry[];
  /** All that can be read: lower case, without the dot. */
  readonly extensions: ReadonlySet<string>;
  /** The parser for a file, by what follows the last dot of its name, whatever the case. */
  forPath(path: string): ParserEntry | undefined;
  /** The parser for an extension: lower case, without the dot. */
  forExtension(extension: string): ParserEntry | undefined;
  byId(id: string): ParserEntry | undefined;
}

/** @throws KbError KB_PLUGIN_DUPLICATE_ID, KB_PLUGIN_DUPLICATE_EXTENSION */
export function createParserRegistry(parsers: readonly RegisteredParser[]): ParserRegistry {
  const byId = new Map<string, ParserEntry>();
  const byExtension = new Map<string, ParserEntry>();
  for (const parser of parsers) {
    const extensions = Object.freeze(parser.extensions.map((extension) => extension.toLowerCase()));
    const entry = Object.freeze({ ...parser, extensions, label: labelOf(parser) });
    const sameId = byId.get(entry.id);
    if (sameId !== undefined)
      throw new KbError(
        "KB_PLUGIN_DUPLICATE_ID",
        `Two plugins offer a parser "${entry.id}": ${sameId.owner} and ${entry.owner}`,
      );
    byId.set(entry.id, entry);
    for (const extension of extensions) {
      const owner = byExtension.get(extension);
      if (owner !== undefined && owner !== entry)
        throw new KbError(
          "KB_PLUGIN_DUPLICATE_EXTENSION",
          `The parsers "${owner.id}" (${owner.owner}) and "${entry.id}" (${entry.owner}) both claim .${extension} files`,
        );
      byExtension.set(extension, entry);
    }
  }
  return Object.freeze({
    entries: Object.freeze([...byId.values()]),
    extensions: new Set(byExtension.keys()),
    forPath: (path: string) => byExtension.get(extensionOf(path)),
    forExtension: (extension: string) => byExtension.get(extension),
    byId: (id: string) => byId.get(id),
  });
}

/** What changes how files are read changes the label, so that they are read again: other options too. */
function labelOf({ id, version, options }: RegisteredParser): string {
  const text = canonical(options);
  const hash = text === "{}" ? "" : `+${createHash("sha256").update(text).digest("hex").slice(0, 8)}`;
  return `${id}@${version}${hash}`;
}

/** JSON of plain data that does not depend on the order of keys; options that are absent are none. */
function canonical(value: unknown): string {
  const sorted = (_: string, part: unknown): unknown =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part;
  return JSON.stringify(value ?? {}, sorted);
}
