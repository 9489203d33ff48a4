// The line on which progress is shown: the last one of a terminal, drawn over and over, or one more now and then when
// piped. The only place that draws bars; it knows nothing of what makes progress.
import { columnsOf } from "./columns.js";
import { shortenedEnd } from "./shorten.js";

/** Milliseconds between two drawings: progress is told very often, and terminals may be slow. */
const drawMs = 100;
/** Milliseconds between two lines when piped. */
const pipedMs = 5000;
/** Milliseconds after which a bar in front that stands still gives way to one behind it that does not. */
const stillMs = 3000;
/** Columns inside the brackets of a bar. */
const barColumns = { least: 8, most: 24 } as const;
/** Where a terminal does not say how wide it is. */
const usualColumns = 80;
/** Back to the start of the line, and clear what stands there. */
const clearLine = "\r\u001b[K";

/** Where progress is shown; a part of what `process.stderr` offers. */
export type ProgressStream = Pick<NodeJS.WriteStream, "isTTY" | "columns"> & { write(text: string): unknown };

/** The progress of one thing. */
export interface ProgressBar {
  /**
   * @param text one line, fit for a terminal
   * @param share of the whole that is done, 0 to 1; absent where nobody knows
   * @param isDue when piped, writes a line although the last one is not long ago
   */
  show(text: string, share?: number, isDue?: boolean): void;
  /** Takes it off the line; what is shown after it begins anew. */
  end(): void;
}

interface Shown {
  readonly text: string;
  readonly share: number | undefined;
  /** When it was shown last, as `performance.now()` tells it. */
  readonly at: number;
}

/** There is room for one bar: what is waited for inside a run stands before the run. */
type Place = "front" | "behind";

export class TerminalLine {
  readonly #stream: ProgressStream;
  readonly #shown = new Map<Place, Shown>();
  #waiting: NodeJS.Timeout | undefined;
  #drawn: string | undefined;
  /** Whether others left the cursor at the start of a line. */
  #atStart = true;
  #closed = false;

  constructor(stream: ProgressStream) {
    this.#stream = stream;
  }

  /** A bar; a quiet one shows nothing. */
  bar(place: Place, quiet: boolean): ProgressBar {
    if (quiet) return { show: () => undefined, end: () => undefined };
    let writtenAt = performance.now();
    return {
      show: (text, share, isDue = false) => {
        if (this.#closed) return;
        const at = performance.now();
        if (this.#isTerminal()) {
          this.#shown.set(place, { text, share, at });
          this.#draw();
        } else if (isDue || at - writtenAt >= pipedMs) {
          writtenAt = at;
          this.#write(`${text}\n`);
        }
      },
      end: () => {
        this.#shown.delete(place);
        if (this.#drawn !== undefined && this.#line() !== this.#drawn) this.#clear();
        this.#draw();
      },
    };
  }

  /** Lets somebody else write to the terminal: what is drawn makes room, and comes back below. */
  aside<Result>(text: string | Uint8Array, write: () => Result): Result {
    if (text.length === 0) return write();
    this.#clear();
    const result = write();
    this.#atStart = typeof text === "string" ? text.endsWith("\n") : text.at(-1) === 10;
    this.#draw();
    return result;
  }

  /** Ends all bars for good: results or a failure come next. */
  close(): void {
    this.#closed = true;
    this.#shown.clear();
    clearTimeout(this.#waiting);
    this.#clear();
  }

  #isTerminal(): boolean {
    return this.#stream.isTTY && process.env["TERM"] !== "dumb";
  }

  /** Draws at once or, soon after the last drawing, a little later. */
  #draw(): void {
    const line = this.#line();
    if (line === undefined || line === this.#drawn || this.#waiting !== undefined) return;
    this.#write(clearLine + line);
    this.#drawn = line;
    this.#waiting = setTimeout(() => {
      this.#waiting = undefined;
      this.#draw();
    }, drawMs);
    this.#waiting.unref();
  }

  #clear(): void {
    if (this.#drawn !== undefined) this.#stream.write(clearLine);
    this.#drawn = undefined;
  }

  #write(text: string): void {
    this.#stream.write(this.#atStart ? text : `\n${text}`);
    this.#atStart = true;
  }

  #line(): string | undefined {
    const [front, behind] = [this.#shown.get("front"), this.#shown.get("behind")];
    const shown = front && behind && behind.at - front.at > stillMs ? behind : (front ?? behind);
    return shown && barLine(shown.text, shown.share, this.#stream.columns || usualColumns);
  }
}

/**
 * A line that a terminal does not wrap: the bar gives way to the text, and both end before the last column. The bar is
 * one column for each character; one of blocks would be two where ambiguous characters are wide, as in Japan.
 */
function barLine(text: string, share: number | undefined, columns: number): string {
  const room = columns - 1;
  const width = Math.min(barColumns.most, room - columnsOf(text) - "[] ".length);
  if (share === undefined || width < barColumns.least) return shortenedEnd(text, room);
  const filled = Math.round(Math.min(1, share) * width);
  return `[${"#".repeat(filled)}${"-".repeat(width - filled)}] ${text}`;
}
