// Runs a part of a test without the superuser's right to read everything.
import { chmod } from "node:fs/promises";

/** The user "nobody", who owns nothing. */
const nobody = 65_534;

/**
 * Runs `use` as an ordinary user; what it makes and removes must belong to that user. The folder is opened to all
 * first, since temporary folders are their owner's alone.
 */
export async function asOrdinaryUser<T>(folder: string, use: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return use();
  await chmod(folder, 0o755);
  process.seteuid?.(nobody);
  try {
    return await use();
  } finally {
    process.seteuid?.(0);
  }
}
