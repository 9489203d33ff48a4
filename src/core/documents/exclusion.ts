// The one function that says which paths stay out of the index, for every walk and for the watcher. It bounds
// indexing, not access: the read guard never asks it.
import ignore from "ignore";
import { limits } from "../limits.js";
import { readIgnoreFile } from "./ignore-file.js";
import type { KnowledgeBaseRoot } from "./knowledge-base-root.js";

/** Version control, packages and kb-mcp's own folder: no setting brings them in. */
const denylist = [".git", ".svn", ".hg", "node_modules", ".kb-mcp"];

/** Paths after which the matcher is made anew, since it remembers every path it was asked about. */
const matcherMemory = 50_000;

/** Answers from the rules it was made with; a new `.kb-mcpignore` needs a new one. */
export class Exclusion {
  readonly #names = anyOf(denylist);
  readonly #directoryNames: RegExp;
  readonly #directories = new Map<string, boolean>();
  #matcher: ignore.Ignore | undefined;
  #matched = 0;

  /**
   * @param excludeDirs names of directories, wherever they are
   * @param patterns lines in gitignore syntax
   */
  constructor(excludeDirs: readonly string[], patterns: readonly string[] | undefined) {
    this.#directoryNames = anyOf(excludeDirs);
    if (patterns !== undefined)
      this.#matcher = ignore().add(patterns.map((line) => line.normalize("NFC")).join("\n"));
  }

  /**
   * Whether a path stays out of the index, by itself or by a directory above it. Asked from the top down, the
   * first excluded directory ends it: nothing below can come back.
   *
   * @param path relative to the knowledge base, with `/`; what is not such a path is excluded
   */
  isExcluded(path: string, kind: "file" | "directory"): boolean {
    if (path.length > limits.pathBytes) return true;
    if (kind === "directory") return path !== "" && this.#directoryExcluded(path);
    const cut = path.lastIndexOf("/");
    return (cut >= 0 && this.#directoryExcluded(path.slice(0, cut))) || this.#entryExcluded(path, kind);
  }

  #directoryExcluded(path: string): boolean {
    const known = this.#directories.get(path);
    if (known !== undefined) return known;
    let excluded = false;
    for (let end = -1, depth = 1; !excluded && end !== path.length; depth++) {
      const slash = path.indexOf("/", end + 1);
      end = slash < 0 ? path.length : slash;
      const ancestor = path.slice(0, end);
      excluded =
        this.#directories.get(ancestor) ??
        (depth > limits.directoryDepth || this.#entryExcluded(ancestor, "directory"));
      this.#directories.set(ancestor, excluded);
    }
    this.#directories.set(path, excluded);
    return excluded;
  }

  /** The three layers for one entry whose directories are not excluded. */
  #entryExcluded(path: string, kind: "file" | "directory"): boolean {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (name === "" || name === "." || name === "..") return true;
    // Word, Excel and PowerPoint keep one beside each open document.
    if (kind === "file" && name.startsWith("~$")) return true;
    const composed = name.normalize("NFC");
    if (this.#names.test(composed)) return true;
    if (kind === "directory" && this.#directoryNames.test(composed)) return true;
    return this.#patternExcluded(path, kind);
  }

  #patternExcluded(path: string, kind: "file" | "directory"): boolean {
    if (this.#matcher === undefined) return false;
    if (++this.#matched % matcherMemory === 0) {
      this.#matcher = ignore().add(this.#matcher);
      this.#directories.clear();
    }
    const composed = path.normalize("NFC");
    // The closing slash tells the matcher that it is a directory.
    return this.#matcher.ignores(kind === "directory" ? `${composed}/` : composed);
  }
}

/**
 * Matches whole names in composed form. A regular expression, because the patterns become such too: what counts as
 * the same letter in another case is then the same in every layer.
 */
function anyOf(names: readonly string[]): RegExp {
  const literals = names.map((name) => name.normalize("NFC").replace(/[$()*+./?[\\\]^{|}-]/gu, "\\$&"));
  return new RegExp(`^(?:${literals.join("|")})$`, "i");
}

/** Reads the rules of a knowledge base. Never fails: what is wrong with `.kb-mcpignore` is in the warnings. */
export async function loadExclusion(options: {
  readonly root: KnowledgeBaseRoot;
  readonly excludeDirs: readonly string[];
}): Promise<{ exclusion: Exclusion; warnings: readonly string[] }> {
  const { patterns, warnings } = await readIgnoreFile(options.root);
  return { exclusion: new Exclusion(options.excludeDirs, patterns), warnings };
}
