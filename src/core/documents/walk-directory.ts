// One directory of the walk: which of its entries are documents, which are directories to go into, and which
// would be documents but for a fault that their owner should hear of.
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { isKbError, type ErrorCode, type KbError } from "../errors.js";
import { extensionOf, parseDocumentPath, type DocumentPath } from "./document-path.js";
import type { Exclusion } from "./exclusion.js";
import { placeOnDisk, rootError, type KnowledgeBaseRoot } from "./knowledge-base-root.js";
import { Pacer } from "./walk-pacer.js";
import { statFiles, type StatResult } from "./walk-stat.js";
import { readFailure, readRefusal } from "./read-guard-refusal.js";

export interface ListOptions {
  readonly root: KnowledgeBaseRoot;
  readonly exclusion: Exclusion;
  /** Extensions of the active registry: lower case, without the dot. */
  readonly extensions: ReadonlySet<string>;
}

export interface WalkedFile {
  readonly path: DocumentPath;
  readonly sizeBytes: number;
  /** Milliseconds since 1970, with its fraction. */
  readonly modifiedMs: number;
}

export interface WalkWarning {
  /** Of a file or a directory; bytes that are not valid UTF-8 are shown as U+FFFD. */
  readonly path: string;
  readonly code: ErrorCode;
  /** One sentence that names the path. */
  readonly reason: string;
  /** Whether there may be documents at or below `path` that the walk could not see: they do not count as deleted. */
  readonly unseen: boolean;
}

interface Candidate {
  readonly path: DocumentPath;
  readonly directory: boolean;
}

export class DirectoryLister {
  readonly #options: ListOptions;
  readonly #pacer = new Pacer();
  #warnings: WalkWarning[] = [];
  readonly #readAhead = new Map<string, Promise<Dirent[] | { readonly error: unknown }>>();

  constructor(options: ListOptions) {
    this.#options = options;
  }

  /** The warnings since the last call. */
  takeWarnings(): WalkWarning[] {
    const taken = this.#warnings;
    this.#warnings = [];
    return taken;
  }

  /**
   * The documents of a directory and the paths of the directories in it, in the order of the walk.
   *
   * @param directory "" for the root
   * @throws KbError KB_READ_ROOT if the root cannot be read
   */
  async list(directory: string): Promise<(string | WalkedFile)[]> {
    const candidates = await this.#candidates(await this.#entries(directory), directory);
    const places = candidates
      .filter((candidate) => !candidate.directory)
      .map(({ path }) => placeOnDisk(this.#options.root, path));
    const results = (await statFiles(places, this.#pacer)).values();
    const found: (string | WalkedFile)[] = [];
    for (const { path, directory } of candidates) {
      const entry = directory ? path : this.#document(path, results.next().value);
      if (entry !== undefined) found.push(entry);
    }
    return found;
  }

  /** Begins to read directories that will be listed soon, so that listing them does not wait for the disk. */
  readAhead(directories: readonly string[]): void {
    for (const directory of directories)
      if (!this.#readAhead.has(directory)) this.#readAhead.set(directory, this.#read(directory));
  }

  async #entries(directory: string): Promise<Dirent[]> {
    const entries = await (this.#readAhead.get(directory) ?? this.#read(directory));
    this.#readAhead.delete(directory);
    this.#pacer.start();
    if (Array.isArray(entries)) return entries;
    if (directory === "") throw rootError("cannot be read", entries.error);
    this.#warnOfFailure(entries.error, directory);
    return [];
  }

  #read(directory: string): Promise<Dirent[] | { readonly error: unknown }> {
    return readdir(placeOnDisk(this.#options.root, directory), { withFileTypes: true }).catch(
      (error: unknown) => ({ error }),
    );
  }

  async #candidates(entries: readonly Dirent[], directory: string): Promise<Candidate[]> {
    const candidates: Candidate[] = [];
    for (const entry of inWalkOrder(entries)) {
      if (this.#pacer.due) await this.#pacer.rest();
      const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
      // Two names that are not valid UTF-8 may look the same.
      if (path === candidates.at(-1)?.path || !this.#wanted(path, entry)) continue;
      try {
        const checked = parseDocumentPath(path);
        if (entry.isSymbolicLink()) this.#warn(readRefusal.link(path), path);
        else if (entry.isDirectory() || entry.isFile())
          candidates.push({ path: checked, directory: entry.isDirectory() });
        else this.#warn(readRefusal.type(path), path);
      } catch (error) {
        if (!isKbError(error)) throw error;
        this.#warn(error, path);
      }
    }
    return candidates;
  }

  #wanted(path: string, entry: Dirent): boolean {
    const extension = extensionOf(path);
    // A link without an extension may stand for a folder, whose documents its owner will miss.
    const folder = entry.isDirectory() || (entry.isSymbolicLink() && extension === "");
    if (!folder && !this.#options.extensions.has(extension)) return false;
    return !this.#options.exclusion.isExcluded(path, folder ? "directory" : "file");
  }

  #document(path: DocumentPath, result: StatResult | undefined): WalkedFile | undefined {
    if (result === undefined) return undefined;
    if ("error" in result) this.#warnOfFailure(result.error, path);
    else if (!result.isFile())
      this.#warn(result.isSymbolicLink() ? readRefusal.link(path) : readRefusal.type(path), path);
    else if (result.nlink > 1) this.#warn(readRefusal.hardLink(path), path);
    else return { path, sizeBytes: result.size, modifiedMs: result.mtimeMs };
    return undefined;
  }

  /** What is not found was deleted meanwhile, or has a name that cannot be looked up. */
  #warnOfFailure(error: unknown, path: string): void {
    const failure = readFailure(error, path);
    if (failure.code !== "KB_READ_NOT_FOUND") this.#warn(failure, path, true);
    else if (path.includes("\uFFFD")) this.#warn(readRefusal.encoding(path), path);
  }

  #warn(error: KbError, path: string, unseen = false): void {
    this.#warnings.push({ path, code: error.code, reason: error.message, unseen });
  }
}

/** Sorted so that whole paths come in order of UTF-16 code units: a directory sorts as its name with a slash. */
function inWalkOrder(entries: readonly Dirent[]): Dirent[] {
  const key = (entry: Dirent): string => (entry.isDirectory() ? `${entry.name}/` : entry.name);
  return entries
    .map((entry) => ({ entry, key: key(entry) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ entry }) => entry);
}
