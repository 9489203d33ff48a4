// Writes groups of documents one after another while the next is being embedded, and keeps count.
import type { VectorStore } from "../plugin-api.js";
import type { EmbeddedGroup } from "./embed-documents.js";
import { refuseIfCancelled } from "./cancellation.js";
import type { Move } from "./moved-documents.js";
import type { RunReport } from "./run-report.js";
import type { ScanPlan } from "./scan.js";

/** Groups in a row that fail as a whole before the embedder is held to be out of order. */
const failedGroupsMax = 2;

/** What a write changed: paths that were written, and paths that were removed. */
export interface Commit {
  readonly put: readonly string[];
  readonly deleted: readonly string[];
}

export interface GroupCommitter {
  /** Starts writing a group once the one before it is written. @throws whatever that one's write threw */
  commit(group: EmbeddedGroup): Promise<void>;
  /** The same for documents that moved. */
  commitMoves(moves: readonly Move[]): Promise<void>;
  /** The same for documents that are gone. */
  commitDeletes(paths: readonly string[]): Promise<void>;
  /** Resolves when all that was started is written. @throws what the last write threw */
  settled(): Promise<void>;
  /** @throws the embedder's last error if it was given several documents and failed on all */
  failIfNothingWorked(): void;
}

/**
 * A committer for one run.
 * @param onCommit told after each write
 * @param signal when aborted, nothing more is written: every call throws KB_CANCELLED
 */
export function createGroupCommitter(
  store: VectorStore,
  plan: ScanPlan,
  report: RunReport,
  onCommit: (commit: Commit) => void,
  signal: AbortSignal,
): GroupCommitter {
  let writing: Promise<void> = Promise.resolve();
  let failedGroups = 0;
  const failures: Error[] = [];
  let anySuccess = false;

  const enqueue = async (write: () => Promise<void>): Promise<void> => {
    await writing;
    // An embedder may answer after the run was cancelled, and who lost the lease must not write.
    refuseIfCancelled(signal);
    writing = write();
    writing.catch(() => undefined);
  };
  const throwLastFailure = (): void => {
    const last = failures.at(-1);
    if (last !== undefined && !anySuccess) throw last;
  };
  return {
    async commit({ writes, failures: failed, embedded }: EmbeddedGroup): Promise<void> {
      for (const { path, error } of failed) {
        failures.push(error);
        report.skip(path, error);
      }
      failedGroups = writes.length === 0 ? failedGroups + 1 : 0;
      if (failedGroups >= failedGroupsMax) throwLastFailure();
      anySuccess ||= writes.length > 0;
      report.embedded += embedded;
      for (const { document } of writes)
        if (plan.known.has(document.path)) report.updated++;
        else report.added++;
      await enqueue(async () => {
        if (writes.length > 0) {
          await store.write({ put: writes });
          onCommit({ put: writes.map(({ document }) => document.path), deleted: [] });
        }
        report.advance({
          filesDone: report.progress.filesDone + writes.length + failed.length,
          chunksDone: report.progress.chunksDone + embedded,
        });
      });
    },
    async commitMoves(moves: readonly Move[]): Promise<void> {
      report.renamed += moves.length;
      await enqueue(async () => {
        const put = moves.map(({ write }) => write);
        const deleted = moves.map(({ from }) => from);
        await store.write({ put, delete: deleted });
        onCommit({ put: put.map(({ document }) => document.path), deleted });
        report.advance({ filesDone: report.progress.filesDone + moves.length });
      });
    },
    async commitDeletes(paths: readonly string[]): Promise<void> {
      report.deleted += paths.length;
      await enqueue(async () => {
        await store.write({ delete: paths });
        onCommit({ put: [], deleted: paths });
      });
    },
    settled: () => writing,
    failIfNothingWorked(): void {
      // One document that the embedder refuses is that document's failure.
      if (failures.length > 1) throwLastFailure();
    },
  };
}
