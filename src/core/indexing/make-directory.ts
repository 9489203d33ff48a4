// Makes a directory of kb-mcp's own data and those above it.
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { KbError } from "../errors.js";

/**
 * Makes a directory with those above it; one that is there stays as it is. One level at a time, because the recursive
 * form of Node's `mkdir` never ends where a parent exists and yet says that it does not, as `/proc` does.
 * @throws KbError KB_CONFIG_DATA_DIRECTORY
 */
export async function makeDirectory(path: string): Promise<void> {
  try {
    await make(path);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? "unknown reason";
    throw new KbError("KB_CONFIG_DATA_DIRECTORY", `The directory ${path} cannot be made (${reason})`, {
      cause: error,
    });
  }
}

async function make(path: string): Promise<void> {
  try {
    await makeOne(path);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || parent === path) throw error;
    await make(parent);
    await makeOne(path);
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    // What is there is not always refused as EEXIST: a drive's root is EPERM, a read-only file system EROFS.
    const isThere = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isThere) throw error;
  }
}
