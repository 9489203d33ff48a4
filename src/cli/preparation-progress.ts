// What is shown of a long preparation, such as the download of a model.
import type { PreparationProgress } from "../core/plugin-api.js";
import { printable } from "../core/text/printable.js";
import { formatBytes } from "./format-bytes.js";
import { formatDuration } from "./format-duration.js";
import type { TerminalLine } from "./terminal-line.js";

/** Milliseconds over which a pace means something. */
const paceMs = 2000;

export interface PreparationDisplay {
  readonly update: (progress: PreparationProgress) => void;
  /** Takes it off the terminal; what is updated after it begins anew. */
  readonly end: () => void;
}

/** Several preparations may be shown one after the other; each is told by its `what`. */
export function showPreparation(line: TerminalLine, quiet: boolean): PreparationDisplay {
  const bar = line.bar("front", quiet);
  let first: { readonly what: string; readonly done: number; readonly at: number } | undefined;
  const end = (): void => {
    first = undefined;
    bar.end();
  };
  return {
    end,
    update(progress) {
      const at = performance.now();
      const { what, done, total } = progress;
      const isFirst = first?.what !== what;
      if (first === undefined || isFirst) first = { what, done, at };
      const share = total === undefined ? undefined : done / (total || 1);
      const isEnd = done === total;
      // When piped the end is worth a line of its own: whoever reads the log later sees that it was reached.
      bar.show(describe(progress, at - first.at, done - first.done), share, isFirst || isEnd);
      if (isEnd) end();
    },
  };
}

function describe({ what, done, total, unit }: PreparationProgress, passedMs: number, since: number): string {
  const amount = unit === "bytes" ? formatBytes : String;
  const text = `${printable(what)}: ${amount(done)}${total === undefined ? "" : ` of ${amount(total)}`}`;
  if (passedMs < paceMs || since <= 0 || done === total) return text;
  const rate = (since / passedMs) * 1000;
  const left = total === undefined ? "" : `, about ${formatDuration((total - done) / rate)} left`;
  return unit === "bytes" ? `${text} (${formatBytes(rate)}/s)${left}` : `${text}${left}`;
}
