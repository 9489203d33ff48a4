// The folder that a knowledge base is. It may be reached through a link, which is resolved here, once.
import { constants } from "node:fs";
import { access, lstat, realpath, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { KbError } from "../errors.js";

/** A knowledge base's folder, by its real path: absolute, without links, in the platform's own form. */
export interface KnowledgeBaseRoot {
  readonly path: string;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "does not exist: a part of the path is a file",
  ELOOP: "is a loop of links",
  EACCES: "cannot be read: permission denied",
  EPERM: "cannot be read: permission denied",
};

/**
 * Resolves kb_path; one that is relative counts from the working directory.
 *
 * @throws KbError KB_CONFIG_KB_PATH if it is not a folder that can be read
 */
export async function openRoot(kbPath: string): Promise<KnowledgeBaseRoot> {
  try {
    const path = await realpath(kbPath);
    if (!(await stat(path)).isDirectory()) throw unusable(kbPath, "is a file, not a folder");
    await access(path, constants.R_OK | constants.X_OK);
    return { path };
  } catch (error) {
    if (error instanceof KbError) throw error;
    const code = String((error as NodeJS.ErrnoException).code);
    throw unusable(kbPath, reasons[code] ?? `cannot be read (${code})`, error);
  }
}

/** Where a path relative to the root lies on disk. */
export function placeOnDisk(root: KnowledgeBaseRoot, path: string): string {
  return join(root.path, path);
}

/** The path relative to the root, with `/`, of a real path; undefined if that lies elsewhere. */
export function pathInside(root: KnowledgeBaseRoot, realPath: string): string | undefined {
  // The separator keeps /kb-secret apart from /kb; a file system's root already ends with one.
  const prefix = root.path.endsWith(sep) ? root.path : root.path + sep;
  return realPath.startsWith(prefix) ? realPath.slice(prefix.length).replaceAll(sep, "/") : undefined;
}

/**
 * A word for the folder itself, which changes when another one takes its place.
 *
 * @throws KbError KB_READ_ROOT if it is gone
 */
export async function rootIdentity(root: KnowledgeBaseRoot): Promise<string> {
  const stats = await lstat(root.path, { bigint: true }).catch((error: unknown) => {
    throw rootError("cannot be reached", error);
  });
  if (!stats.isDirectory()) throw rootError("is no longer a folder");
  return `${stats.dev}:${stats.ino}`;
}

/** Its message does not say where the folder is. */
export function rootError(fact: string, cause?: unknown): KbError {
  return new KbError("KB_READ_ROOT", `The folder of the knowledge base ${fact}`, { cause });
}

function unusable(kbPath: string, reason: string, cause?: unknown): KbError {
  return new KbError("KB_CONFIG_KB_PATH", `kb_path ${JSON.stringify(resolve(kbPath))} ${reason}`, { cause });
}
