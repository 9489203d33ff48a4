// Which parser reads which file: the one place that decides. Built once from `[parsers].enabled` and frozen before
// the first file is read.
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
  /** URL of the plugin's module, which is loaded where files are parsed. */
  readonly moduleUrl: string;
  /** Checked by the parser's own schema; plain data. */
  readonly options: unknown;
}

export interface ParserEntry extends RegisteredParser {
  /** Id and version, as stored with each document, e.g. "md@1". */
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
    const entry = Object.freeze({ ...parser, extensions, label: `${parser.id}@${parser.version}` });
    const sameId = byId.get(entry.id);
    if (sameId !== undefined)
      throw new KbError(
        "KB_PLUGIN_DUPLICATE_ID",
        `Two plugins offer a parser "${entry.id}": ${sameId.moduleUrl} and ${entry.moduleUrl}`,
      );
    byId.set(entry.id, entry);
    for (const extension of extensions) {
      const owner = byExtension.get(extension);
      if (owner !== undefined && owner !== entry)
        throw new KbError(
          "KB_PLUGIN_DUPLICATE_EXTENSION",
          `The parsers "${owner.id}" and "${entry.id}" both claim .${extension} files`,
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
