// Where a third-party package is: finds the module that an entry of [plugins].packages names. Runs nothing of it.
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { KbError } from "../errors.js";

/** An entry of `plugins.packages`. */
export interface NamedPackage {
  /** As written. */
  readonly name: string;
  /** Where it is, absolute; absent where `name` is the name of a package. */
  readonly path?: string;
  /** The folder from which a name is resolved, absolute. */
  readonly folder: string;
  /** The setting that names it, for messages. */
  readonly key: string;
}

/** How messages call a package. */
export function packagePhrase({ name, key }: NamedPackage): string {
  return `${key}: ${JSON.stringify(name)}`;
}

/**
 * The URL of a package's entry, `file:///…`.
 * @throws KbError KB_PLUGIN_NOT_FOUND
 */
export async function locatePackage(named: NamedPackage): Promise<string> {
  try {
    const url =
      named.path === undefined ? await resolveName(named.name, named.folder) : await entryAt(named.path);
    if (url.startsWith("file:")) return url;
    throw new Error(`${url} is no file`);
  } catch (cause) {
    const place = named.path !== undefined ? "" : `, looked for from ${named.folder}`;
    throw new KbError(
      "KB_PLUGIN_NOT_FOUND",
      `${packagePhrase(named)} was not found${place}: ${reasonOf(cause)}`,
      {
        cause,
        hint:
          named.path !== undefined
            ? "Correct the path; a relative one counts from the folder of kb-mcp.toml."
            : isFileThere(named)
              ? `There is a file of this name: write "./${named.name}".`
              : `Install it there (npm install ${named.name}), or correct its name; a path begins with "./".`,
      },
    );
  }
}

/** As `import` finds a name; Node's own import.meta.resolve takes no folder to start from. */
async function resolveName(name: string, folder: string): Promise<string> {
  const { resolve } = await import("import-meta-resolve");
  return resolve(name, pathToFileURL(path.join(folder, "kb-mcp.toml")).href);
}

/** A file, or a folder that holds a package. */
async function entryAt(place: string): Promise<string> {
  const require = createRequire(place);
  const manifest = manifestIn(place, require);
  // `exports` counts for a package that refers to itself by its name; without it there is `main` or index.js.
  return manifest?.exports !== undefined && typeof manifest.name === "string"
    ? resolveName(manifest.name, place)
    : pathToFileURL(require.resolve(place)).href;
}

function isFileThere({ name, folder }: NamedPackage): boolean {
  try {
    createRequire(path.join(folder, "kb-mcp.toml")).resolve(path.resolve(folder, name));
    return true;
  } catch {
    return false;
  }
}

function manifestIn(
  place: string,
  require: NodeJS.Require,
): { readonly name?: unknown; readonly exports?: unknown } | undefined {
  try {
    return require(path.join(place, "package.json")) as object;
  } catch (error) {
    if ((error as { code?: unknown }).code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

/** What Node says, without the file that asked and the list of requires. */
function reasonOf(error: unknown): string {
  const { message } = error as Error;
  return (message.split("\n")[0] ?? "").replace(/ imported from .*$/u, "");
}
