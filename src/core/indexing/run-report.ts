// Counts what a run does, for the summary at its end and the progress on the way.
import { isKbError, mayBeShown } from "../errors.js";
import type { Logger } from "../plugin-api.js";
import {
  noProgress,
  type FileWarning,
  type IndexProgress,
  type IndexSummary,
  type SkippedFile,
} from "./index-summary.js";

/** The numbers of one run. */
export class RunReport {
  readonly progress: IndexProgress = { ...noProgress, startedAt: Date.now() };
  added = 0;
  updated = 0;
  unchanged = 0;
  renamed = 0;
  deleted = 0;
  /** Of the unchanged documents, those whose file had another time or size. */
  touched = 0;
  embedded = 0;
  readonly skipped: SkippedFile[] = [];
  readonly warnings: FileWarning[] = [];
  readonly #startedAt = performance.now();

  constructor(
    private readonly logger: Logger,
    private readonly onProgress: ((progress: IndexProgress) => void) | undefined,
  ) {}

  /** Takes note of progress and tells the listener. */
  advance(change: Partial<IndexProgress>): void {
    Object.assign(this.progress, change, { elapsedMs: performance.now() - this.#startedAt });
    this.onProgress?.({ ...this.progress });
  }

  /** Whether the run has changed anything in the store. */
  get wrote(): boolean {
    return this.added + this.updated + this.renamed + this.deleted + this.touched > 0;
  }

  /** A file that could not be indexed. The log has what the summary leaves out. */
  skip(path: string, error: unknown): void {
    if (mayBeShown(error)) {
      this.skipped.push({ path, code: error.code, reason: error.message });
      return;
    }
    const code = isKbError(error) ? error.code : "KB_INTERNAL";
    // A tool's caller reads the summary, and such a message may name paths of the machine.
    this.skipped.push({ path, code, reason: "internal error, see the log" });
    this.logger.error(`${path}: ${error instanceof Error ? error.stack : String(error)}`);
  }

  warn(path: string, warning: string): void {
    this.warnings.push({ path, warning });
  }

  summary({
    documents,
    chunks,
    declined_by_embedder,
  }: Pick<IndexSummary, "documents" | "chunks" | "declined_by_embedder">): IndexSummary {
    return {
      added: this.added,
      updated: this.updated,
      unchanged: this.unchanged + this.touched,
      renamed: this.renamed,
      deleted: this.deleted,
      skipped: this.skipped,
      warnings: this.warnings,
      documents,
      chunks,
      declined_by_embedder,
      embedded: this.embedded,
      seconds: Math.round((performance.now() - this.#startedAt) / 10) / 100,
    };
  }
}
