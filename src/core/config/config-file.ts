// Finds the one configuration file that counts and reads its text. Decides by its place whether it is trusted.
import fs from "node:fs/promises";
import path from "node:path";
import { KbError } from "../errors.js";
import { limits } from "../limits.js";
import { OperatorFileError, readOperatorFile } from "../operator-file.js";
import { expandPath } from "./expand-path.js";
import { realPath } from "./folder-relation.js";

const configFileName = "kb-mcp.toml";

/** How a file came to count. */
type Place = "named" | "working directory" | "git root" | "user";

export interface ConfigFile {
  /** Absolute, as found; relative paths in the file count from its folder. */
  readonly path: string;
  readonly place: Place;
  readonly trusted: boolean;
  readonly text: string;
}

export interface SearchPlaces {
  /** The path that `--config` or `KB_MCP_CONFIG` gives. */
  readonly named: string | undefined;
  readonly workingDirectory: string;
  readonly homeDirectory: string;
  /** The folder of the user's own file; asked for only when it is needed. */
  userConfigDirectory(): Promise<string>;
}

/**
 * The first file of: the named one, the working directory's, the git root's, the user's.
 *
 * @throws KbError KB_CONFIG_NOT_FOUND (a named file only), KB_CONFIG_UNREADABLE
 */
export async function findConfigFile(places: SearchPlaces): Promise<ConfigFile | undefined> {
  const { named, workingDirectory } = places;
  if (named !== undefined) {
    const file = expandPath(named, workingDirectory, places.homeDirectory);
    const text = await readText(file);
    if (text === undefined) {
      throw new KbError("KB_CONFIG_NOT_FOUND", `there is no configuration file at ${file}`);
    }
    return { path: file, place: "named", trusted: true, text };
  }

  const here = await found(workingDirectory, "working directory", places);
  if (here !== undefined) return here;
  const gitRoot = await nearestGitRoot(workingDirectory);
  if (gitRoot !== undefined && gitRoot !== workingDirectory) {
    const atRoot = await found(gitRoot, "git root", places);
    if (atRoot !== undefined) return atRoot;
  }
  return found(await places.userConfigDirectory(), "user", places);
}

async function found(folder: string, place: Place, places: SearchPlaces): Promise<ConfigFile | undefined> {
  const file = path.join(folder, configFileName);
  const text = await readText(file);
  if (text === undefined) return undefined;
  // The folder's place counts, never the target of a linked file: its relative paths count from this folder.
  const trusted =
    place === "user" || (await realPath(folder)) === (await realPath(await places.userConfigDirectory()));
  return { path: file, place, trusted, text };
}

/** The working directory or the nearest ancestor that holds `.git`, a folder or (in a worktree) a file. */
async function nearestGitRoot(workingDirectory: string): Promise<string | undefined> {
  let folder = workingDirectory;
  for (let steps = 0; steps <= limits.configAncestors; steps++) {
    const hasGit = await fs.lstat(path.join(folder, ".git")).then(
      () => true,
      () => false,
    );
    if (hasGit) return folder;
    const parent = path.dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
  return undefined;
}

/** The text of a file, or undefined if nothing is there. */
async function readText(file: string): Promise<string | undefined> {
  try {
    return await readOperatorFile(file, limits.configFileBytes);
  } catch (error) {
    if (!(error instanceof OperatorFileError)) throw error;
    if (error.reason === "encoding") {
      throw new KbError("KB_CONFIG_SYNTAX", `${file}: ${error.message}`, {
        cause: error.cause,
        hint: "Save the file as UTF-8.",
      });
    }
    throw new KbError(
      "KB_CONFIG_UNREADABLE",
      `the configuration file ${file} cannot be read: ${error.message}`,
      error.reason === "system"
        ? { cause: error.cause }
        : { hint: "Put a TOML file there, or name another one with --config." },
    );
  }
}
