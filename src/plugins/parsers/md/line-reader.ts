// Goes through the lines of a text once, from top to bottom, without keeping them.

export interface LineRange {
  /** Offsets in the text: of the first written line's beginning and of the last one's end. */
  readonly start: number;
  readonly end: number;
  /** Counted from 0, both inclusive. */
  readonly firstLine: number;
  readonly lastLine: number;
}

const written = /\S/;

export class LineReader {
  /** Offset and number of the line that comes next. */
  offset = 0;
  #line = 0;

  /** @param text with "\n" as its only line ending */
  constructor(private readonly text: string) {}

  skipTo(line: number): void {
    while (this.#line < line && this.offset < this.text.length) this.#next();
  }

  /**
   * Reads up to a line, exclusive, and leaves out blank lines at both ends; undefined if all are blank.
   * @param keepFirst whether the first line belongs to the range in any case
   */
  readTo(line: number, keepFirst: boolean): LineRange | undefined {
    let range: LineRange | undefined;
    while (this.#line < line && this.offset < this.text.length) {
      const start = this.offset;
      const lineNumber = this.#line;
      const end = this.#next();
      if (!(keepFirst && range === undefined) && !written.test(this.text.slice(start, end))) continue;
      range = {
        start: range?.start ?? start,
        end,
        firstLine: range?.firstLine ?? lineNumber,
        lastLine: lineNumber,
      };
    }
    return range;
  }

  /** Moves on by a line and returns where it ended. */
  #next(): number {
    const lineFeed = this.text.indexOf("\n", this.offset);
    const end = lineFeed === -1 ? this.text.length : lineFeed;
    this.offset = Math.min(end + 1, this.text.length);
    this.#line++;
    return end;
  }
}
