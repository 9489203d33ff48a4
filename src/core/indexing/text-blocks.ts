// Paragraphs, code fences and tables in a range of lines: the places where a long text may be cut, and where not.
import type { MeasuredLines } from "./measured-lines.js";

/** Lines from 0, inclusive. */
export interface Block {
  readonly from: number;
  readonly to: number;
  /** A fence or a table, which is not cut if it can be helped. */
  readonly whole: boolean;
}

/** Also within lists and quotes. */
const fenceStart = /^\s*(?:(?:[-*+>]|\d{1,9}[.)])\s+)*(`{3,}|~{3,})(.*)$/;
const fenceEnd = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/;
const tableRule = /^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?)?[ \t]*$|^[ \t]*\|[ \t]*:?-+:?[ \t]*$/;
/** The pattern above is not linear for lines that nobody writes. */
const longestRule = 2000;

/** The blocks of a range of lines in order; the lines between them are blank. */
export function findBlocks(text: MeasuredLines, from: number, to: number): Block[] {
  const blocks: Block[] = [];
  let index = from;
  while (index <= to) {
    if (text.isBlank(index)) {
      index++;
      continue;
    }
    const block = readFence(text, index, to) ?? readTable(text, index, to) ?? readParagraph(text, index, to);
    blocks.push(block);
    index = block.to + 1;
  }
  return blocks;
}

/** A fence that is never closed reaches to the end. */
function readFence(text: MeasuredLines, from: number, to: number): Block | undefined {
  const opening = openingFence(text.line(from));
  if (opening === undefined) return undefined;
  for (let index = from + 1; index <= to; index++) {
    const closing = fenceEnd.exec(text.line(index))?.[1];
    if (closing?.startsWith(opening)) return { from, to: index, whole: true };
  }
  return { from, to, whole: true };
}

function openingFence(line: string): string | undefined {
  const [, fence, info = ""] = fenceStart.exec(line) ?? [];
  return fence === undefined || (fence.startsWith("`") && info.includes("`")) ? undefined : fence;
}

function readTable(text: MeasuredLines, from: number, to: number): Block | undefined {
  if (!startsTable(text, from, to)) return undefined;
  let end = from + 1;
  while (end < to && text.line(end + 1).includes("|")) end++;
  return { from, to: end, whole: true };
}

function startsTable(text: MeasuredLines, index: number, to: number): boolean {
  if (index >= to || !text.line(index).includes("|")) return false;
  const rule = text.line(index + 1);
  return rule.length <= longestRule && tableRule.test(rule);
}

function readParagraph(text: MeasuredLines, from: number, to: number): Block {
  let end = from;
  while (end < to && !text.isBlank(end + 1)) {
    if (openingFence(text.line(end + 1)) !== undefined || startsTable(text, end + 1, to)) break;
    end++;
  }
  return { from, to: end, whole: false };
}
