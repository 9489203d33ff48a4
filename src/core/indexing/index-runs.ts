// The index runs of this process. An index that lives in this process only is filled before it is asked: by one run for
// all who wait for it. Knows no store and no documents.
import { isKbError } from "../errors.js";
import { unlessAborted } from "../patience.js";
import type { Logger } from "../plugin-api.js";
import { usualRestMs } from "../rest.js";
import { throwIfCancelled } from "../search/cancelled.js";
import { refuseIfCancelled } from "./cancellation.js";
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
   * @throws KbError what that run failed with, KB_CANCELLED if the signal is aborted; the run goes on for others. In the
   *   background what the last run failed with, while none is under way
   */
  ready(signal: AbortSignal, onProgress?: (progress: IndexProgress) => void): Promise<void>;
  /** Whether a run of this process has ended well, or the index lasts. */
  isFilled(): boolean;
  /** What the last run that was to fill the index failed with, until one ends well. */
  failure(): { readonly error: unknown } | undefined;
  /** What the last run of this process failed with, however well the index was filled before. */
  lastFailure(): unknown;
  /** Gives up the index for a run that does not end, when kb-mcp is closed. */
  abandon(): Promise<void>;
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
  /** Milliseconds after a failure in which no other run is started for those who ask; 30 s if absent. */
  readonly restMs?: number;
}

export function createIndexRuns(dependencies: IndexRunsDependencies): IndexRuns {
  const { ephemeral, onBegin, onEnd, untilClosed, logger, restMs = usualRestMs } = dependencies;
  let indexer: Indexer | undefined;
  let filled = !ephemeral;
  /** Under way, or waiting to begin. */
  const attempts = new Set<Promise<IndexSummary>>();
  let failure: { readonly error: unknown; readonly restsUntil: number } | undefined;
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
    refuseIfCancelled(signal);
    return indexer.run({ ...options, signal, onProgress });
  };
  const run = async (options: IndexOptions, signal: AbortSignal): Promise<IndexSummary> => {
    inBackground ||= options.background === true;
    const attempt = begin(options, signal);
    attempts.add(attempt);
    let summary: IndexSummary | undefined;
    try {
      summary = await attempt;
      filled = true;
      failure = undefined;
      return summary;
    } catch (error) {
      if (!signal.aborted && !saysNothingOfTheIndex(error))
        failure = { error, restsUntil: performance.now() + restMs };
      throw error;
    } finally {
      attempts.delete(attempt);
      onEnd(summary);
    }
  };
  const startOnDemand = (): Promise<void> =>
    untilClosed(async (signal) => {
      const { skipped } = await run({}, signal);
      if (skipped.length > 0)
        logger.warn(`${skipped.length} files could not be indexed; kb-mcp index lists them`);
    });
  const readyInBackground = (): void => {
    if (attempts.size > 0) return;
    const last = failure;
    // Whoever asks next is told of a failure.
    if (last === undefined || performance.now() >= last.restsUntil) startOnDemand().catch(() => undefined);
    if (last !== undefined) throw last.error;
  };
  const readyInForeground = async (signal: AbortSignal): Promise<void> => {
    const [other] = attempts;
    try {
      await unlessAborted<unknown>(other ?? startOnDemand(), signal);
    } catch (error) {
      throwIfCancelled(signal);
      // Whoever asked for that run has cancelled it, or it was refused beside another; those who wait still want one.
      if (other === undefined || !saysNothingOfTheIndex(error)) throw error;
    }
  };

  return {
    run,
    progress: () => indexer?.progress() ?? (attempts.size > 0 ? noProgress : undefined),
    isFilled: () => filled,
    failure: () => (filled ? undefined : failure),
    lastFailure: () => failure?.error,
    abandon: async () => indexer?.abandon(),
    async ready(signal, onProgress) {
      if (onProgress !== undefined) listeners.add(onProgress);
      try {
        while (!filled) {
          if (inBackground) {
            readyInBackground();
            return;
          }
          await readyInForeground(signal);
        }
      } finally {
        if (onProgress !== undefined) listeners.delete(onProgress);
      }
    },
  };
}

/** What a run ends with that somebody cancelled, and one that was refused because another is under way. */
function saysNothingOfTheIndex(error: unknown): boolean {
  return isKbError(error) && (error.code === "KB_CANCELLED" || error.code === "KB_STORE_BUSY");
}
