// Cuts one line that is too long for a chunk: at sentence ends, else at spaces, else between characters.
import { tokenQuarters } from "../estimate-tokens.js";

/** Sizes in quarters of a token. */
export interface SplitSizes {
  /** What a piece should come near to. */
  readonly target: number;
  /** What no piece may pass. */
  readonly max: number;
}

/** One locale for everybody; sentence rules cover the stops of all scripts, `。` too. */
const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

/**
 * The offsets at which a line is cut, in order and without its end. Takes time in proportion to the line.
 * @param used what the piece that receives the beginning of the line holds already
 */
export function splitLine(line: string, sizes: SplitSizes, used: number): number[] {
  const cuts: number[] = [];
  let start = 0;
  let taken = used;
  for (;;) {
    const max = offsetAt(line, start, sizes.max - taken);
    if (max === line.length) return cuts;
    const target = offsetAt(line, start, Math.max(sizes.target - taken, sizes.target / 4));
    start = bestCut(line, start, Math.min(target, max), max);
    cuts.push(start);
    taken = 0;
  }
}

/** The furthest offset from `start` within a size; one character further where not even that fits. */
function offsetAt(line: string, start: number, quarters: number): number {
  let left = quarters;
  let offset = start;
  while (offset < line.length) {
    const character = String.fromCodePoint(line.codePointAt(offset) ?? 0);
    left -= tokenQuarters(character);
    if (left < 0 && offset > start) break;
    offset += character.length;
    if (left < 0) break;
  }
  return offset;
}

function bestCut(line: string, start: number, target: number, max: number): number {
  const window = line.slice(start, max);
  const wanted = target - start;
  return start + (sentenceEnd(window, wanted) ?? wordStart(window, wanted) ?? wanted);
}

function sentenceEnd(window: string, wanted: number): number | undefined {
  const around = sentences.segment(window).containing(Math.min(wanted, window.length - 1));
  if (around === undefined) return undefined;
  const after = around.index + around.segment.length;
  // The last sentence ends where the window does, not where the author ended it.
  return better(around.index, after < window.length ? after : undefined, wanted);
}

function wordStart(window: string, wanted: number): number | undefined {
  const isStart = (at: number): boolean => /^\s\S/.test(window.slice(at - 1, at + 1));
  let before = wanted;
  while (before > 0 && !isStart(before)) before--;
  let after = wanted + 1;
  while (after < window.length && !isStart(after)) after++;
  return better(before, after < window.length ? after : undefined, wanted);
}

/** The place before the wanted one, unless that leaves less than half of it: then the one behind. */
function better(before: number, after: number | undefined, wanted: number): number | undefined {
  if (before * 2 >= wanted) return before;
  return after ?? (before > 0 ? before : undefined);
}
