// Where a third-party package is: finds the module that an entry of [plugins].packages names. Runs nothing of it.
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { KbError } from "../errors.js";

/** An entry of `plugins.packages`. */
export interface NamedPackage {
  /** As written: the name of a package, or an absolute path or one that begins with a dot. */
  readonly name: string;
  /** Whether `name` is a path. */
  readonly isPath: boolean;
  /** The folder from which it is resolved, absolute. */
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
    const url = named.isPath ? await entryAt(named) : await resolveName(named.name, named.folder);
    if (url.startsWith("file:")) return url;
    throw new Error(`${url} is no file`);
  } catch (cause) {
    const place = named.isPath ? "" : `, looked for from ${named.folder}`;
    throw new KbError(
      "KB_PLUGIN_NOT_FOUND",
      `${packagePhrase(named)} was not found${place}: ${reasonOf(cause)}`,
      {
        cause,
        hint: named.isPath
          ? "Correct the path; a relative one counts from the folder of kb-mcp.toml."
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
async function entryAt({ name, folder }: NamedPackage): Promise<string> {
  const place = path.resolve(folder, name);
  const require = createRequire(path.join(folder, "kb-mcp.toml"));
  const manifest = manifestIn(place, require);
  // `exports` counts for a package that refers to itself by its name; without it there is `main` or index.js.
  return manifest?.exports !== undefined && typeof manifest.name === "string"
    ? resolveName(manifest.name, place)
    : pathToFileURL(require.resolve(place)).href;
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
