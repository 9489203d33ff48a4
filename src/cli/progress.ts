// Progress of an index run on stderr: a bar on a terminal, a line every few seconds when piped.
import type { IndexProgress } from "../core/index.js";

/** Seconds between lines when stderr is not a terminal. */
const lineSeconds = 5;
/** Milliseconds between two drawings of the bar: a run reports every document, and terminals may be slow. */
const drawMs = 100;
/** Milliseconds over which a pace means something: chunks are stored a group at a time. */
const paceMs = 1000;
/** Columns inside the brackets of the bar. */
const barColumns = { least: 8, most: 24 } as const;
/** Where a terminal does not say how wide it is. */
const usualColumns = 80;
/** Back to the start of the line, and clear what stands there. */
const clearLine = "\r\u001b[K";

export interface ProgressDisplay {
  readonly update: (progress: IndexProgress) => void;
  readonly end: () => void;
}

/** Where progress is shown; a part of what `process.stderr` offers. */
export type ProgressStream = Pick<NodeJS.WriteStream, "isTTY" | "columns"> & { write(text: string): unknown };

/** A display for one run. */
export function showProgress(stream: ProgressStream, quiet: boolean): ProgressDisplay {
  if (quiet) return { update: () => undefined, end: () => undefined };
  return stream.isTTY && process.env["TERM"] !== "dumb" ? bar(stream) : lines(stream);
}

/** Draws at most every `drawMs`, and whatever came last within that time. */
function bar(stream: ProgressStream): ProgressDisplay {
  const describe = describer();
  let waiting: NodeJS.Timeout | undefined;
  let latest = "";
  let latestShare: number | undefined;
  let shown = false;
  const draw = (): void => {
    stream.write(clearLine + barLine(latest, latestShare, stream.columns || usualColumns));
    shown = true;
  };
  const drawAndWait = (): void => {
    const drawn = latest;
    draw();
    waiting = setTimeout(() => {
      waiting = undefined;
      if (latest !== drawn) drawAndWait();
    }, drawMs);
    waiting.unref();
  };
  return {
    update(progress) {
      latest = describe(progress);
      latestShare = progress.phase === "index" ? progress.filesDone / (progress.filesTotal || 1) : undefined;
      if (waiting === undefined) drawAndWait();
    },
    end() {
      clearTimeout(waiting);
      if (shown) stream.write(clearLine);
      shown = false;
    },
  };
}

/**
 * A line that a terminal does not wrap: the bar gives way to the text, and both end before the last column. All of it
 * is one column for each character; a bar of blocks would be two where ambiguous characters are wide, as in Japan.
 */
function barLine(text: string, share: number | undefined, columns: number): string {
  const room = columns - 1;
  const width = Math.min(barColumns.most, room - text.length - "[] ".length);
  if (share === undefined || width < barColumns.least) return text.slice(0, room);
  const filled = Math.round(Math.min(1, share) * width);
  return `[${"#".repeat(filled)}${"-".repeat(width - filled)}] ${text}`;
}

function lines(stream: ProgressStream): ProgressDisplay {
  const describe = describer();
  let lastAt = 0;
  return {
    update(progress) {
      const line = describe(progress);
      if (progress.elapsedMs - lastAt < lineSeconds * 1000) return;
      lastAt = progress.elapsedMs;
      stream.write(`${line}\n`);
    },
    end: () => undefined,
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
    return `${files} (${rate.toFixed(0)}/s), about ${duration(left)} left`;
  };
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.ceil(seconds / 60)} min`;
  return `${Math.ceil(seconds / 3600)} h`;
}
