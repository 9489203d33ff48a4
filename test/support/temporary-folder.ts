// Real folders and files for tests, gone when the test ends.
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Runs `use` with the real path of a new, empty folder and removes it afterwards. */
export async function withTemporaryFolder<T>(use: (folder: string) => Promise<T> | T): Promise<T> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "kb-mcp-test-")));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Writes files by relative path, with the directories they need; a path that ends with `/` is a directory. */
export async function writeTree(
  folder: string,
  tree: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  for (const [path, content] of Object.entries(tree)) {
    const place = join(folder, path);
    await mkdir(path.endsWith("/") ? place : dirname(place), { recursive: true });
    if (!path.endsWith("/")) await writeFile(place, content);
  }
}

/** Makes FIFOs, which nobody writes to. */
export function makeFifos(...places: string[]): void {
  execFileSync("/usr/bin/env", ["mkfifo", ...places]);
}
