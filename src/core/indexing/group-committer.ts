// Writes groups of documents one after another while the next is being embedded, and keeps count.
import type { DocumentWrite, VectorStore } from "../plugin-api.js";
import type { EmbeddedGroup } from "./embed-documents.js";
import type { RunReport } from "./run-report.js";
import type { ScanPlan } from "./scan.js";

/** Groups in a row that fail as a whole before the embedder is held to be out of order. */
const failedGroupsMax = 2;

export interface GroupCommitter {
  /** Starts writing a group once the one before it is written. @throws whatever that one's write threw */
  commit(group: EmbeddedGroup): Promise<void>;
  /** The same for a document that moved, with the path it moved from. */
  commitMove(write: DocumentWrite, from: string): Promise<void>;
  /** Resolves when all that was started is written. */
  settled(): Promise<void>;
  /** @throws the embedder's last error if it failed on everything it was given */
  failIfNothingWorked(): void;
}

/** A committer for one run. */
export function createGroupCommitter(store: VectorStore, plan: ScanPlan, report: RunReport): GroupCommitter {
  let writing: Promise<void> = Promise.resolve();
  let failedGroups = 0;
  let anySuccess = false;
  let lastFailure: Error | undefined;

  const enqueue = async (write: () => Promise<void>): Promise<void> => {
    await writing;
    writing = write();
    writing.catch(() => undefined);
  };
  return {
    async commit({ writes, failures, embedded }: EmbeddedGroup): Promise<void> {
      for (const { path, error } of failures) {
        lastFailure = error;
        report.skip(path, error);
      }
      failedGroups = writes.length === 0 ? failedGroups + 1 : 0;
      if (lastFailure !== undefined && failedGroups >= failedGroupsMax && !anySuccess) throw lastFailure;
      anySuccess ||= writes.length > 0;
      report.embedded += embedded;
      for (const { document } of writes)
        if (plan.known.has(document.path)) report.updated++;
        else report.added++;
      await enqueue(async () => {
        if (writes.length > 0) await store.write({ put: writes });
        report.advance({
          filesDone: report.progress.filesDone + writes.length + failures.length,
          chunksDone: report.progress.chunksDone + embedded,
        });
      });
    },
    async commitMove(write: DocumentWrite, from: string): Promise<void> {
      report.renamed++;
      await enqueue(async () => {
        await store.write({ put: [write], delete: [from] });
        report.advance({ filesDone: report.progress.filesDone + 1 });
      });
    },
    settled: () => writing,
    failIfNothingWorked(): void {
      if (lastFailure !== undefined && !anySuccess) throw lastFailure;
    },
  };
}
