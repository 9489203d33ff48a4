// What of a model is on this machine, told from the manifest and the sizes of its files: cheap enough for every use.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { readManifest, type Manifest } from "./manifest.js";
import type { ModelRequest } from "./model-request.js";

export interface ModelState {
  readonly manifest: Manifest | undefined;
  /** Files that were asked for and are not here. */
  readonly missing: readonly string[];
  /** Files that are here with another size than they were fetched with. */
  readonly damaged: readonly string[];
}

export async function modelState(
  folder: string,
  { files, optionalFiles }: ModelRequest,
): Promise<ModelState> {
  const manifest = await readManifest(folder);
  const missing: string[] = [];
  const damaged: string[] = [];
  for (const file of [...files, ...optionalFiles]) {
    const known = manifest?.files[file];
    if (known === undefined) {
      if (files.includes(file) || manifest?.absent.includes(file) !== true) missing.push(file);
      continue;
    }
    const size = await sizeOf(join(folder, ...file.split("/")));
    if (size === undefined) missing.push(file);
    else if (size !== known.size) damaged.push(file);
  }
  return { manifest, missing, damaged };
}

/** Bytes of a regular file; undefined where there is none. */
export async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    (found) => (found.isFile() ? found.size : undefined),
    (error: unknown) => {
      if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
      throw error;
    },
  );
}

/** Bytes of all files of a folder, those that are being fetched included; undefined where there are none. */
export async function bytesIn(folder: string): Promise<number | undefined> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch((error: unknown) => {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  });
  const sizes = await Promise.all(
    entries.filter((entry) => entry.isFile()).map((entry) => sizeOf(join(entry.parentPath, entry.name))),
  );
  return sizes.length === 0 ? undefined : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
}
