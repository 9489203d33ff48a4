// Opens a file so that nothing but a regular file with one name can come out: no link followed at the last
// step, no wait on a FIFO. Whether the file lies in the knowledge base is for the caller to find out.
import { constants, type Stats } from "node:fs";
import { lstat, open, type FileHandle } from "node:fs/promises";
import { isKbError } from "../errors.js";
import { readFailure, readRefusal } from "./read-guard-refusal.js";

export interface OpenFile {
  /** The caller closes it. */
  readonly handle: FileHandle;
  /** Of the open handle. */
  readonly stats: Stats;
}

// Windows has neither O_NOFOLLOW nor O_NONBLOCK (undefined counts as 0 here), and no FIFO among its files.
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const followsLinks = !Object.hasOwn(constants, "O_NOFOLLOW");

/**
 * @param place where the file is, absolute
 * @param path its path relative to the knowledge base, for messages
 * @throws KbError KB_READ_NOT_FOUND, KB_READ_LINK, KB_READ_TYPE, KB_READ_DENIED, KB_READ_FAILED
 */
export async function openRegularFile(place: string, path: string): Promise<OpenFile> {
  let handle: FileHandle | undefined;
  try {
    if (followsLinks && (await lstat(place)).isSymbolicLink()) throw readRefusal.link(path);
    handle = await open(place, flags);
    const stats = await handle.stat();
    if (!stats.isFile()) throw readRefusal.type(path);
    // A platform without link counts says 0 or 1.
    if (stats.nlink > 1) throw readRefusal.hardLink(path);
    return { handle, stats };
  } catch (error) {
    await handle?.close();
    throw isKbError(error) ? error : readFailure(error, path);
  }
}
