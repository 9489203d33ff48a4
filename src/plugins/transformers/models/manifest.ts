// files.json in the folder of a model: the files that were fetched whole and what they hold. A file that it does not
// list is not there, whatever the folder holds.
import { randomUUID } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { isFileName } from "./model-request.js";

const manifestName = "files.json";

export interface ManifestFile {
  readonly size: number;
  readonly sha256: string;
  /** The commit of the model's repository that it comes from, where the server told it. */
  readonly commit?: string;
}

export interface Manifest {
  readonly model: string;
  readonly revision: string;
  /** Address of the hub or the mirror, without credentials. */
  readonly source: string;
  readonly files: Readonly<Record<string, ManifestFile>>;
  /** Files that the model does not have. */
  readonly absent: readonly string[];
}

/** Undefined where there is none, or none that can be read: the files are then fetched again. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  let text;
  try {
    text = await readFile(join(folder, manifestName), "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    return isManifest(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the manifest as a whole. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const temporary = join(folder, `${manifestName}.${randomUUID()}.part`);
  try {
    const handle = await open(temporary, "wx");
    try {
      await handle.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, join(folder, manifestName));
    await syncFolder(folder);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Makes renames last. Windows cannot open folders, and some network drives refuse: both keep names by themselves. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

function isManifest(value: unknown): value is Manifest {
  const manifest = value as Partial<Manifest> | null;
  return (
    typeof manifest === "object" &&
    typeof manifest?.model === "string" &&
    typeof manifest.revision === "string" &&
    typeof manifest.source === "string" &&
    Array.isArray(manifest.absent) &&
    typeof manifest.files === "object" &&
    // Folders are copied between machines: a name in here becomes a path.
    Object.entries(manifest.files).every(([name, file]) => isFileName(name) && isManifestFile(file))
  );
}

function isManifestFile(value: unknown): value is ManifestFile {
  const file = value as Partial<ManifestFile> | null;
  return typeof file === "object" && typeof file?.size === "number" && typeof file.sha256 === "string";
}
