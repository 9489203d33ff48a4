// What is shown of an index run.
import type { IndexProgress } from "../core/index.js";
import { formatDuration } from "./format-duration.js";
import type { TerminalLine } from "./terminal-line.js";

/** Milliseconds over which a pace means something: chunks are stored a group at a time. */
const paceMs = 1000;

export interface ProgressDisplay {
  readonly update: (progress: IndexProgress) => void;
  readonly end: () => void;
}

/** A display for one run. */
export function showProgress(line: TerminalLine, quiet: boolean): ProgressDisplay {
  const bar = line.bar("behind", quiet);
  const describe = describer();
  return {
    update(progress) {
      const { phase, filesDone, filesTotal } = progress;
      bar.show(describe(progress), phase === "index" ? filesDone / (filesTotal || 1) : undefined);
    },
    end: () => bar.end(),
  };
}

/**
 * What a run is doing, in one line: files, chunks a second, time left. Pace counts from the first chunks that were
 * stored: before them, files are looked for and the model loads.
 */
function describer(): (progress: IndexProgress) => string {
  let first: IndexProgress | undefined;
  return (progress) => {
    const { phase, filesDone, filesTotal, chunksDone, elapsedMs } = progress;
    if (phase === "scan") return "Looking for changes...";
    if (phase === "finish") return "Bringing the search structures up to date...";
    const files = `Indexing: ${filesDone} of ${filesTotal} files, ${chunksDone} chunks`;
    if (chunksDone > 0) first ??= progress;
    if (first === undefined || elapsedMs - first.elapsedMs < paceMs || filesDone <= first.filesDone)
      return files;
    const seconds = (elapsedMs - first.elapsedMs) / 1000;
    const rate = (chunksDone - first.chunksDone) / seconds;
    const left = (seconds / (filesDone - first.filesDone)) * (filesTotal - filesDone);
    return `${files} (${rate.toFixed(0)}/s), about ${formatDuration(left)} left`;
  };
}
