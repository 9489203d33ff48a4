// A small summary of the index in a file beside it, so that server instructions and `status` need not open the
// store. The store is the truth; this is a copy that is rewritten at the end of every run.
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeDirectory } from "./make-directory.js";

/** What the index holds. */
export interface IndexOverview {
  documents: number;
  chunks: number;
  declined_by_embedder: number;
  /** Largest first. */
  topics: { topic: string; documents: number }[];
  /** ISO 8601, end of the last run that found a change. */
  indexed_at: string;
  embedder: string;
  model: string;
  /** What the index was built with, as its metadata says. */
  built_with?: Readonly<Record<string, string>>;
}

const fileName = "overview.json";

/** The overview of an index directory, or undefined before the first complete run. */
export async function readOverview(indexDirectory: string): Promise<IndexOverview | undefined> {
  try {
    const value = JSON.parse(await readFile(join(indexDirectory, fileName), "utf8")) as IndexOverview | null;
    return typeof value?.documents === "number" && Array.isArray(value.topics) ? value : undefined;
  } catch {
    // Absent or damaged: nothing depends on it, and the next run writes it anew.
    return undefined;
  }
}

/** Replaces the overview in one step. */
export async function writeOverview(indexDirectory: string, overview: IndexOverview): Promise<void> {
  await makeDirectory(indexDirectory);
  const draft = join(indexDirectory, `${fileName}.${process.pid}`);
  await writeFile(draft, JSON.stringify(overview, null, 2));
  await rename(draft, join(indexDirectory, fileName));
}

/** Forgets the overview, before an index is built anew. */
export async function removeOverview(indexDirectory: string): Promise<void> {
  await rm(join(indexDirectory, fileName), { force: true });
}
