// The index runs of this process. An index that lives in this process only is filled before it is asked: by one run for
// all who wait for it. Knows no store and no documents.
import { isKbError } from "../errors.js";
import type { Logger } from "../plugin-api.js";
import { throwIfCancelled } from "../search/cancelled.js";
import { noProgress, type IndexOptions, type IndexProgress, type IndexSummary } from "./index-summary.js";
import type { Indexer } from "./indexer.js";

export interface IndexRuns {
  /** A run that somebody asked for. */
  run(options: IndexOptions, signal: AbortSignal): Promise<IndexSummary>;
  /** Progress of the run under way, or waiting to begin; else undefined. */
  progress(): IndexProgress | undefined;
  /**
   * Resolves when the index can be asked: at once for one that lasts, else when a first run has ended, which it starts
   * if none is under way. Where runs are in the background it does not wait.
   * @throws KbError what that run failed with, KB_CANCELLED if the signal is aborted; the run goes on for others
   */
  ready(signal: AbortSignal, onProgress?: (progress: IndexProgress) => void): Promise<void>;
  /** Whether a run of this process has ended well, or the index lasts. */
  isFilled(): boolean;
}

export interface IndexRunsDependencies {
  readonly indexer: () => Promise<Indexer>;
  readonly ephemeral: boolean;
  /** Told before a run looks at anything, and after its end. */
  readonly onBegin: () => Promise<void>;
  readonly onEnd: (summary: IndexSummary | undefined) => void;
  /** Runs what nobody asked for, until the knowledge base is closed. */
  readonly untilClosed: <Result>(work: (signal: AbortSignal) => Promise<Result>) => Promise<Result>;
  readonly logger: Logger;
}

export function createIndexRuns(dependencies: IndexRunsDependencies): IndexRuns {
  const { ephemeral, onBegin, onEnd, untilClosed, logger } = dependencies;
  let indexer: Indexer | undefined;
  let waiting = 0;
  let filled = !ephemeral;
  let current: Promise<IndexSummary> | undefined;
  let failure: { readonly error: unknown } | undefined;
  let inBackground = false;
  const listeners = new Set<(progress: IndexProgress) => void>();

  const begin = async (options: IndexOptions, signal: AbortSignal): Promise<IndexSummary> => {
    await options.after;
    await onBegin();
    indexer ??= await dependencies.indexer();
    const onProgress = (progress: IndexProgress): void => {
      options.onProgress?.(progress);
      for (const listener of listeners) listener(progress);
    };
    return indexer.run({ ...options, signal, onProgress });
  };
  const run = async (options: IndexOptions, signal: AbortSignal): Promise<IndexSummary> => {
    inBackground ||= options.background === true;
    waiting++;
    const attempt = begin(options, signal);
    // A second run is refused; those who wait do so for the first.
    current ??= attempt;
    let summary: IndexSummary | undefined;
    try {
      summary = await attempt;
      filled = true;
      return summary;
    } catch (error) {
      if (current === attempt) failure = { error };
      throw error;
    } finally {
      waiting--;
      if (current === attempt) current = undefined;
      onEnd(summary);
    }
  };
  const startOnDemand = (): Promise<void> =>
    untilClosed(async (signal) => {
      const { skipped } = await run({}, signal);
      if (skipped.length > 0)
        logger.warn(`${skipped.length} files could not be indexed; kb-mcp index lists them`);
    });
  /** @throws what the last run failed with; the next try is under way then */
  const readyInBackground = (): void => {
    if (current !== undefined) return;
    const last = failure;
    // Whoever asks next is told of a failure.
    startOnDemand().catch(() => undefined);
    if (last !== undefined) throw last.error;
  };

  return {
    run,
    progress: () => indexer?.progress() ?? (waiting > 0 ? noProgress : undefined),
    isFilled: () => filled,
    async ready(signal, onProgress) {
      if (onProgress !== undefined) listeners.add(onProgress);
      try {
        while (!filled) {
          if (inBackground) {
            readyInBackground();
            return;
          }
          const others = current;
          try {
            await unlessAborted(others ?? startOnDemand(), signal);
          } catch (error) {
            if (signal.aborted) throwIfCancelled(signal, error);
            // Whoever asked for that run has cancelled it; those who wait still want one.
            if (others === undefined || !isKbError(error) || error.code !== "KB_CANCELLED") throw error;
          }
        }
      } finally {
        if (onProgress !== undefined) listeners.delete(onProgress);
      }
    },
  };
}

async function unlessAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  let stop: (() => void) | undefined;
  try {
    await Promise.race([
      work,
      new Promise<void>((resolve) => {
        stop = resolve;
        if (signal.aborted) resolve();
        else signal.addEventListener("abort", stop, { once: true });
      }),
    ]);
    throwIfCancelled(signal);
  } finally {
    if (stop !== undefined) signal.removeEventListener("abort", stop);
  }
}
