// Where an open file really lies: the part of the read guard that keeps a folder swapped for a link from
// leading out of the knowledge base. It is asked about the open file, never about the name alone.
import { readlinkSync } from "node:fs";
import { lstat, realpath, type FileHandle } from "node:fs/promises";
import { nameKey, parseDocumentPath, type DocumentPath } from "./document-path.js";
import { pathInside, placeOnDisk, type KnowledgeBaseRoot } from "./knowledge-base-root.js";
import { readRefusal } from "./read-guard-refusal.js";

/** Answers the real path of an open file. */
export type Locate = (handle: FileHandle, place: string) => Promise<string>;

/**
 * Linux: the kernel knows the path of the open descriptor; no name is looked up again. The call is synchronous
 * because the answer is in memory, whatever disk the file is on.
 */
export const locateByDescriptor: Locate = async (handle, place) => {
  try {
    return readlinkSync(`/proc/self/fd/${handle.fd}`);
  } catch (error) {
    // A sandbox may have no /proc or keep it shut. Any other failure stays one.
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EACCES") return locateByIdentity(handle, place);
    throw error;
  }
};

/** Elsewhere: the real path of the name, if what lies there is still the very file that is open. */
export const locateByIdentity: Locate = async (handle, place) => {
  const real = await realpath(place);
  const [there, opened] = await Promise.all([lstat(real, { bigint: true }), handle.stat({ bigint: true })]);
  if (there.dev !== opened.dev || there.ino !== opened.ino) {
    throw Object.assign(new Error("another file took its place"), { code: "ENOENT" });
  }
  return real;
};

const locate = process.platform === "linux" ? locateByDescriptor : locateByIdentity;

/**
 * Confirms that an open file lies in the knowledge base, at its path and behind no link.
 *
 * @returns the path as the disk spells it: on a disk that ignores case or Unicode form it may differ from `path`
 * @throws KbError KB_READ_OUTSIDE, KB_READ_LINK; KB_READ_CHANGED if it was moved, replaced or deleted meanwhile
 */
export async function confirmLocation(
  root: KnowledgeBaseRoot,
  path: DocumentPath,
  handle: FileHandle,
  locateFile: Locate = locate,
): Promise<DocumentPath> {
  const place = placeOnDisk(root, path);
  const real = await locateFile(handle, place).catch(() => undefined);
  if (real === place) return path;

  const inside = real === undefined ? path : pathInside(root, real);
  if (inside === undefined) throw readRefusal.outside(path);
  await refuseBehindLink(root, path);
  if (real !== undefined && nameKey(inside) === nameKey(path)) return parseDocumentPath(inside);
  throw readRefusal.changed(path);
}

/**
 * Looks for a link on the way to a file, and at the file itself.
 *
 * @throws KbError KB_READ_OUTSIDE for a folder that is a link out of the knowledge base, else KB_READ_LINK
 */
export async function refuseBehindLink(root: KnowledgeBaseRoot, path: DocumentPath): Promise<void> {
  for (let end = path.indexOf("/"); ; end = path.indexOf("/", end + 1)) {
    const place = placeOnDisk(root, end < 0 ? path : path.slice(0, end));
    const stats = await lstat(place).catch(() => undefined);
    if (stats?.isSymbolicLink() === true)
      throw end < 0 || (await leadsInside(root, place)) ? readRefusal.link(path) : readRefusal.outside(path);
    if (stats === undefined || end < 0) return;
  }
}

/** A link to nowhere is told like one to the outside: whether something is there is not the caller's business. */
async function leadsInside(root: KnowledgeBaseRoot, place: string): Promise<boolean> {
  const target = await realpath(place).catch(() => undefined);
  return target === root.path || (target !== undefined && pathInside(root, target) !== undefined);
}
