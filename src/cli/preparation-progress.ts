// Progress of a long preparation on stderr, such as the download of a model: a bar on a terminal, a line now and then
// when piped.
import type { PreparationProgress } from "../core/plugin-api.js";
import { printable } from "../core/text/printable.js";
import { formatBytes } from "./format-bytes.js";
import type { ProgressStream } from "./progress.js";
import { shortenedEnd } from "./shorten.js";

/** Milliseconds between two drawings: on a terminal they replace one another. */
const showMs = { terminal: 100, piped: 5000 } as const;
/** Milliseconds over which a pace means something. */
const paceMs = 2000;
/** Columns inside the brackets of the bar. */
const barColumns = { least: 8, most: 24 } as const;
/** Where a terminal does not say how wide it is. */
const usualColumns = 80;
/** Back to the start of the line, and clear what stands there. */
const clearLine = "\r\u001b[K";

export interface PreparationDisplay {
  readonly update: (progress: PreparationProgress) => void;
  /** Clears the bar; what is updated after it begins anew. */
  readonly end: () => void;
}

/** Several preparations may be shown one after the other; each is told by its `what`. */
export function showPreparation(
  stream: ProgressStream,
  quiet: boolean,
  now: () => number = () => performance.now(),
): PreparationDisplay {
  if (quiet) return { update: () => undefined, end: () => undefined };
  const onTerminal = stream.isTTY && process.env["TERM"] !== "dumb";
  let first: { readonly what: string; readonly done: number; readonly at: number } | undefined;
  let shownAt = -Infinity;
  let drawn = false;
  const end = (): void => {
    if (drawn) stream.write(clearLine);
    drawn = false;
    first = undefined;
    shownAt = -Infinity;
  };
  return {
    end,
    update(progress) {
      const at = now();
      if (first?.what !== progress.what) {
        end();
        first = { what: progress.what, done: progress.done, at };
      }
      const isEnd = progress.done === progress.total;
      // When piped the end is worth a line of its own: whoever reads the log later sees that it was reached.
      if (at - shownAt < (onTerminal ? showMs.terminal : showMs.piped) && !isEnd) return;
      shownAt = at;
      const text = describe(progress, at - first.at, progress.done - first.done);
      if (!onTerminal) stream.write(`${text}\n`);
      else {
        stream.write(clearLine + barLine(text, progress, stream.columns || usualColumns));
        drawn = true;
      }
      if (isEnd) end();
    },
  };
}

function describe({ what, done, total, unit }: PreparationProgress, passedMs: number, since: number): string {
  const amount = unit === "bytes" ? formatBytes : String;
  const text = `${printable(what)}: ${amount(done)}${total === undefined ? "" : ` of ${amount(total)}`}`;
  if (passedMs < paceMs || since <= 0 || done === total) return text;
  const rate = (since / passedMs) * 1000;
  const left = total === undefined ? "" : `, about ${duration((total - done) / rate)} left`;
  return unit === "bytes" ? `${text} (${formatBytes(rate)}/s)${left}` : `${text}${left}`;
}

/** A line that a terminal does not wrap: the bar gives way to the text, and both end before the last column. */
function barLine(text: string, { done, total }: PreparationProgress, columns: number): string {
  const room = columns - 1;
  const width = Math.min(barColumns.most, room - text.length - "[] ".length);
  if (total === undefined || width < barColumns.least) return shortenedEnd(text, room);
  const filled = total === 0 ? width : Math.round(Math.min(1, done / total) * width);
  return `[${"#".repeat(filled)}${"-".repeat(width - filled)}] ${text}`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.ceil(seconds / 60)} min`;
  return `${Math.ceil(seconds / 3600)} h`;
}
