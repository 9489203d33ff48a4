// Makes a folder of the cache and those above it.
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * One level at a time, because the recursive form of Node's `mkdir` never ends where a parent exists and yet says that
 * it does not, as `/proc` does.
 */
export async function makeFolder(path: string): Promise<void> {
  const make = async (): Promise<void> => {
    await mkdir(path).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    });
  };
  try {
    await make();
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || parent === path) throw error;
    await makeFolder(parent);
    await make();
  }
}
