// The one walk: which files of the knowledge base are documents, in an order of its own. It follows no link and
// reads no file; what may be read is the read guard's to say.
import { KbError } from "../errors.js";
import { rootError, rootIdentity } from "./knowledge-base-root.js";
import { DirectoryLister, type ListOptions, type WalkedFile, type WalkWarning } from "./walk-directory.js";

export type { WalkedFile, WalkWarning } from "./walk-directory.js";

export interface WalkOptions extends ListOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface WalkBatch {
  readonly files: readonly WalkedFile[];
  readonly warnings: readonly WalkWarning[];
}

const batchFiles = 256;

/** Directories read ahead of the one that is listed, and how far down the list they are looked for. */
const directoriesAhead = 8;
const lookAhead = 32;

/**
 * Walks the knowledge base. Files come sorted by path (by UTF-16 code unit), whatever the file system's order. A
 * walk that ends has seen all of the root but what its warnings say; if the root is missing, vanishes or is
 * replaced on the way, it throws.
 *
 * @throws KbError KB_READ_ROOT, KB_CANCELLED
 */
export async function* walk(options: WalkOptions): AsyncGenerator<WalkBatch, void, undefined> {
  const before = await rootIdentity(options.root);
  const lister = new DirectoryLister(options);
  let files: WalkedFile[] = [];

  // Directories and files still to come, the next one last.
  const pending: (string | WalkedFile)[] = [""];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (options.signal?.aborted === true) throw new KbError("KB_CANCELLED", "The walk was cancelled");
    if (typeof next !== "string") files.push(next);
    else {
      lister.readAhead(nextDirectories(pending));
      for (const entry of (await lister.list(next)).reverse()) pending.push(entry);
    }
    if (files.length >= batchFiles) {
      yield { files, warnings: lister.takeWarnings() };
      files = [];
    }
  }
  // A drive that goes away makes every folder look deleted.
  if ((await rootIdentity(options.root)) !== before) throw rootError("was replaced while it was walked");
  yield { files, warnings: lister.takeWarnings() };
}

function nextDirectories(pending: readonly (string | WalkedFile)[]): string[] {
  return pending
    .slice(-lookAhead)
    .reverse()
    .filter((entry) => typeof entry === "string")
    .slice(0, directoriesAhead);
}
