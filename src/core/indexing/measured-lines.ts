// The lines of a document with their sizes, so that any range of them is measured at once.
import { tokenQuarters } from "../estimate-tokens.js";

/**
 * A stretch of text: from a place in one line to a place in the same or a later line. Lines count from 0 and are
 * inclusive; offsets are UTF-16 code units and are absent at the edges of a line.
 */
export interface Span {
  readonly from: number;
  readonly fromOffset?: number;
  readonly to: number;
  readonly toOffset?: number;
}

export class MeasuredLines {
  /** `#before[n]` is the size of the lines above line n, each with its line feed. */
  readonly #before: Float64Array;

  constructor(readonly lines: readonly string[]) {
    this.#before = new Float64Array(lines.length + 1);
    for (const [index, line] of lines.entries())
      this.#before[index + 1] = (this.#before[index] ?? 0) + tokenQuarters(line) + 1;
  }

  line(index: number): string {
    return this.lines[index] ?? "";
  }

  isBlank(index: number): boolean {
    return this.line(index).trim() === "";
  }

  /** Whether there is nothing but blank lines between two lines. */
  areNeighbours(above: number, below: number): boolean {
    for (let index = above + 1; index < below; index++) if (!this.isBlank(index)) return false;
    return true;
  }

  /** Size of whole lines in quarters of a token, with a line feed after each but the last. */
  quarters(from: number, to: number): number {
    return (this.#before[to + 1] ?? 0) - (this.#before[from] ?? 0) - 1;
  }

  /** Size of a span in quarters of a token. */
  measure(span: Span): number {
    return span.fromOffset === undefined && span.toOffset === undefined
      ? this.quarters(span.from, span.to)
      : tokenQuarters(this.text(span));
  }

  text({ from, fromOffset = 0, to, toOffset }: Span): string {
    if (from === to) return this.line(from).slice(fromOffset, toOffset);
    const middle = this.lines.slice(from + 1, to);
    return [this.line(from).slice(fromOffset), ...middle, this.line(to).slice(0, toOffset)].join("\n");
  }
}
