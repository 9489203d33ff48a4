// Progress of an index run on stderr: a bar on a terminal, a line every few seconds when piped.
import type { IndexProgress } from "../core/index.js";

/** Seconds between lines when stderr is not a terminal. */
const lineSeconds = 5;

export interface ProgressDisplay {
  readonly update: (progress: IndexProgress) => void;
  readonly end: () => void;
}

/** A display for one run. */
export function showProgress(stream: NodeJS.WriteStream, quiet: boolean): ProgressDisplay {
  if (quiet) return { update: () => undefined, end: () => undefined };
  return stream.isTTY ? bar(stream) : lines(stream);
}

function bar(stream: NodeJS.WriteStream): ProgressDisplay {
  const width = 24;
  let shown = false;
  return {
    update(progress) {
      const { phase, filesDone, filesTotal } = progress;
      const filled = filesTotal === 0 ? 0 : Math.round((filesDone / filesTotal) * width);
      const picture = phase === "index" ? `[${"█".repeat(filled)}${"░".repeat(width - filled)}] ` : "";
      // Back to the start of the line, and clear what a longer text left behind.
      stream.write(`\r\u001b[K${picture}${describe(progress)}`);
      shown = true;
    },
    end() {
      if (shown) stream.write("\r\u001b[K");
      shown = false;
    },
  };
}

function lines(stream: NodeJS.WriteStream): ProgressDisplay {
  let lastAt = 0;
  return {
    update(progress) {
      if (progress.elapsedMs - lastAt < lineSeconds * 1000) return;
      lastAt = progress.elapsedMs;
      stream.write(`${describe(progress)}\n`);
    },
    end: () => undefined,
  };
}

/** One line: files, chunks a second, time left. */
function describe({ phase, filesDone, filesTotal, chunksDone, elapsedMs }: IndexProgress): string {
  if (phase === "scan") return "Looking for changes…";
  if (phase === "finish") return "Bringing the search structures up to date…";
  const seconds = elapsedMs / 1000;
  const rate = seconds > 0 ? (chunksDone / seconds).toFixed(0) : "0";
  const left =
    filesDone > 0 ? `, about ${duration((seconds / filesDone) * (filesTotal - filesDone))} left` : "";
  return `Indexing: ${filesDone} of ${filesTotal} files, ${chunksDone} chunks (${rate}/s)${left}`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return `${Math.ceil(seconds / 60)} min`;
}
