// The first step of a run: what is on disk against what the store knows, by size and modification time.
import type { WalkedFile } from "../documents/walk.js";
import type { ParserRegistry } from "../documents/parser-registry.js";
import type { StoredDocument, VectorStore } from "../plugin-api.js";

const fingerprintFields = ["path", "sizeBytes", "modifiedMs", "contentHash", "parser"] as const;

/** What tells a changed document from an unchanged one. */
export type Fingerprint = Pick<StoredDocument, (typeof fingerprintFields)[number]>;

export interface ScanPlan {
  /** Files that are new, or look changed, in order of path. */
  readonly candidates: readonly WalkedFile[];
  /** Paths whose file looks as it did. */
  readonly unchanged: number;
  /** What the store knows, by path. */
  readonly known: ReadonlyMap<string, Fingerprint>;
  /** Known documents that are not in the collection any more. */
  readonly gone: readonly Fingerprint[];
}

/** Fingerprints of every stored document, by path. */
export async function knownDocuments(store: VectorStore): Promise<Map<string, Fingerprint>> {
  const known = new Map<string, Fingerprint>();
  for await (const batch of store.documents(fingerprintFields))
    for (const document of batch) known.set(document.path, document);
  return known;
}

/**
 * Compares a walk with the store.
 * @param unseen files and directories the walk could not look at: what is known at and below them stays
 * @param force treat every file as changed
 */
export function planScan(
  files: readonly WalkedFile[],
  known: ReadonlyMap<string, Fingerprint>,
  registry: ParserRegistry,
  unseen: readonly string[],
  force: boolean,
): ScanPlan {
  const candidates: WalkedFile[] = [];
  const present = new Set<string>();
  for (const file of files) {
    present.add(file.path);
    const before = known.get(file.path);
    const same =
      before !== undefined &&
      before.sizeBytes === file.sizeBytes &&
      before.modifiedMs === file.modifiedMs &&
      before.parser === registry.forPath(file.path)?.label;
    if (force || !same) candidates.push(file);
  }
  const hidden = (path: string): boolean =>
    unseen.some((place) => place === "" || path === place || path.startsWith(`${place}/`));
  const gone = [...known.values()].filter(({ path }) => !present.has(path) && !hidden(path));
  return { candidates, unchanged: files.length - candidates.length, known, gone };
}
