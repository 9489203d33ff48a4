// How a path that somebody wrote becomes an absolute one.
import path from "node:path";

/** Said wherever a backslash was probably meant as one. */
export const windowsPathHint =
  "Write Windows paths in single quotes, 'C:\\notes', or with slashes, \"C:/notes\".";

/**
 * An absolute path, without resolving links.
 *
 * @param written relative paths count from `base`; `~` and `~/…` are the home directory, because MCP clients
 *   start servers without a shell
 */
export function expandPath(written: string, base: string, homeDirectory: string): string {
  const home = /^~(?=$|[/\\])/.exec(written);
  return home === null
    ? path.resolve(base, written)
    : path.resolve(base, path.join(homeDirectory, written.slice(1)));
}

/** Whether an entry of `plugins.packages` is a path and not the name of a package. */
export function isPackagePath(written: string): boolean {
  return /^(?:\.{1,2}[/\\]|~[/\\]|[/\\]|[A-Za-z]:[/\\])/.test(written);
}
