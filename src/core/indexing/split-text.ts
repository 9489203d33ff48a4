// Cuts a stretch of lines that is too long for one chunk: at paragraph ends, else at line ends, else within a line.
// Code fences and tables stay whole where they fit.
import { tokenQuarters } from "../estimate-tokens.js";
import type { MeasuredLines, Span } from "./measured-lines.js";
import { splitLine, type SplitSizes } from "./split-line.js";
import { findBlocks } from "./text-blocks.js";

/** Pieces, in order, that cover every written line from `from` to `to` once; none is larger than `max`. */
export function splitText(text: MeasuredLines, from: number, to: number, sizes: SplitSizes): Span[] {
  const splitter = new Splitter(text, sizes);
  for (const block of findBlocks(text, from, to)) splitter.add(block.from, block.to, block.whole);
  return splitter.finish();
}

/** The piece that is being filled. */
interface Open {
  readonly from: number;
  readonly fromOffset?: number;
  readonly to: number;
  readonly quarters: number;
}

class Splitter {
  readonly #pieces: Span[] = [];
  #open: Open | undefined;

  constructor(
    private readonly text: MeasuredLines,
    private readonly sizes: SplitSizes,
  ) {}

  /** Adds a block of lines, whole if possible. */
  add(from: number, to: number, whole: boolean): void {
    if (this.#extend(to)) return;
    const fits = this.text.quarters(from, to) <= this.sizes.max;
    if (fits && (whole || !this.#isLittle())) this.#begin(from, to);
    else for (let line = from; line <= to; line++) this.#addLine(line);
  }

  finish(): Span[] {
    this.#close();
    const last = this.#pieces.at(-1);
    const before = this.#pieces.at(-2);
    if (last !== undefined && before !== undefined && this.text.measure(last) * 4 < this.sizes.target) {
      const joined = join(before, last);
      if (this.text.measure(joined) <= this.sizes.max) this.#pieces.splice(-2, 2, joined);
    }
    return this.#pieces;
  }

  #addLine(line: number): void {
    if (this.text.isBlank(line) || this.#extend(line)) return;
    const fits = this.text.quarters(line, line) <= this.sizes.max;
    if (fits && !this.#isLittle()) this.#begin(line, line);
    else this.#cutLine(line);
  }

  /** Little is not left alone, as a heading would be: it takes the beginning of what follows. */
  #isLittle(): boolean {
    return this.#open !== undefined && this.#open.quarters * 3 < this.sizes.target;
  }

  /** The last part stays open for what follows. */
  #cutLine(line: number): void {
    const content = this.text.line(line);
    if (!this.#isLittle() || !this.#hasRoomFor(content, line)) this.#close();
    const open = this.#open;
    const used = open === undefined ? 0 : this.#used(open, line);
    const cuts = splitLine(content, this.sizes, used);
    if (cuts.length === 0) this.#close();
    let start = 0;
    for (const cut of cuts) {
      const begin = start === 0 && open !== undefined ? open : { from: line, fromOffset: start };
      this.#pieces.push({
        from: begin.from,
        ...(begin.fromOffset !== undefined && begin.fromOffset > 0 && { fromOffset: begin.fromOffset }),
        to: line,
        toOffset: cut,
      });
      start = cut;
    }
    const rest = { from: line, ...(start > 0 && { fromOffset: start }), to: line };
    this.#open = { ...rest, quarters: this.text.measure(rest) };
  }

  /** What the open piece holds before a line, with the blank lines between. */
  #used(open: Open, line: number): number {
    return open.quarters + this.text.quarters(open.to + 1, line - 1) + 2;
  }

  /** Many blank lines may leave no room for a single character. */
  #hasRoomFor(content: string, line: number): boolean {
    if (this.#open === undefined) return true;
    const first = tokenQuarters(String.fromCodePoint(content.codePointAt(0) ?? 0));
    return this.#used(this.#open, line) + first <= this.sizes.max;
  }

  /** Adds all lines up to `to` to the open piece, if that brings it nearer to the target and not past the most. */
  #extend(to: number): boolean {
    if (this.#open === undefined) return false;
    const { quarters } = this.#open;
    const joined = quarters + this.text.quarters(this.#open.to + 1, to) + 1;
    const { target, max } = this.sizes;
    if (joined > max || joined - target > target - quarters) return false;
    this.#open = { ...this.#open, to, quarters: joined };
    return true;
  }

  #begin(from: number, to: number): void {
    this.#close();
    this.#open = { from, to, quarters: this.text.quarters(from, to) };
  }

  #close(): void {
    if (this.#open === undefined) return;
    const { from, fromOffset, to } = this.#open;
    this.#pieces.push({ from, ...(fromOffset !== undefined && { fromOffset }), to });
    this.#open = undefined;
  }
}

function join(first: Span, second: Span): Span {
  return {
    from: first.from,
    ...(first.fromOffset !== undefined && { fromOffset: first.fromOffset }),
    to: second.to,
    ...(second.toOffset !== undefined && { toOffset: second.toOffset }),
  };
}
