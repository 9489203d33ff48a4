// Cuts a parsed document into chunks, the passages that are searched and shown. Nothing is lost and nothing is in two
// chunks; content is the document's own text.
import type { ParsedDocument, Section } from "../plugin-api.js";
import { splitLines } from "../text/lines.js";
import { chunkQuality } from "./chunk-quality.js";
import { joinBareHeadings, joinTinySections, type Passage } from "./join-passages.js";
import { MeasuredLines } from "./measured-lines.js";
import { sectionTree, type SectionNode } from "./section-tree.js";
import type { SplitSizes } from "./split-line.js";
import { splitText } from "./split-text.js";

export interface Chunk {
  /** From 0 within the document. */
  readonly position: number;
  readonly heading?: string;
  /** Titles from the document's top heading down to this one. */
  readonly headingPath: readonly string[];
  /** 1 to 6, 0 without a heading. */
  readonly level: number;
  /** The lines from `startLine` to `endLine`, of which a line too long for a chunk may be there in part. */
  readonly content: string;
  /** Counted from 1, inclusive; absent where the parser knows no lines. */
  readonly startLine?: number;
  readonly endLine?: number;
  /** Estimated tokens of the content. */
  readonly tokens: number;
  /** 0 to 1, see chunkQuality. */
  readonly quality: number;
}

/** All that `cutDocument` yields. */
export function chunkDocument(...args: Parameters<typeof cutDocument>): Chunk[] {
  return [...cutDocument(...args)];
}

/**
 * The chunks of a document in order, each made when its turn comes: all at once they take as much memory as the
 * document again. Takes time in proportion to its size.
 * @param size estimated tokens: what chunks should come near to, and what none may pass
 * @param excludeHeadings headings whose sections are left out with all below them; compared folded
 */
export function* cutDocument(
  parsed: ParsedDocument,
  size: { readonly target: number; readonly max: number },
  excludeHeadings: readonly string[] = [],
): Generator<Chunk> {
  const sizes = inQuarters(size);
  const nodes = sectionTree(parsed.sections, excludeHeadings);
  const { text, starts, hasLines } = layOut(parsed);
  const passages = parsed.sections.flatMap((section, index): Passage[] => {
    const node = nodes[index];
    const from = starts[index];
    if (node === undefined || from === undefined || node.excluded) return [];
    return passagesOf(node, text, from.first, from.last, sizes);
  });
  const joined = joinTinySections(joinBareHeadings(passages, text, sizes), text, sizes);
  for (const [position, { span, section }] of joined.entries()) {
    const content = text.text(span);
    yield {
      position,
      ...(section?.heading !== undefined && { heading: section.heading }),
      headingPath: section?.path ?? [],
      level: section?.level ?? 0,
      content,
      ...(hasLines && { startLine: span.from + 1, endLine: span.to + 1 }),
      tokens: Math.ceil(text.measure(span) / 4),
      quality: chunkQuality(content),
    };
  }
}

/**
 * The pieces of a chunk that has to be smaller, in order, as chunks under its heading; all with its position.
 * @param size as for cutDocument
 */
export function cutChunk(chunk: Chunk, size: { readonly target: number; readonly max: number }): Chunk[] {
  const text = new MeasuredLines(splitLines(chunk.content));
  const { startLine } = chunk;
  return splitText(text, 0, text.lines.length - 1, inQuarters(size)).map((span) => {
    const content = text.text(span);
    return {
      ...chunk,
      content,
      ...(startLine !== undefined && { startLine: startLine + span.from, endLine: startLine + span.to }),
      tokens: Math.ceil(text.measure(span) / 4),
      quality: chunkQuality(content),
    };
  });
}

function inQuarters(size: { readonly target: number; readonly max: number }): SplitSizes {
  const max = Math.max(1, Math.floor(size.max)) * 4;
  return { target: Math.min(Math.max(1, Math.floor(size.target)) * 4, max), max };
}

interface Layout {
  readonly text: MeasuredLines;
  /** First and last line of each section, from 0. */
  readonly starts: readonly { readonly first: number; readonly last: number }[];
  readonly hasLines: boolean;
}

/** All sections as ranges of one list of lines: the document's, or, where they have none, their own, one below another. */
function layOut({ sections, text }: ParsedDocument): Layout {
  const ranges = sections.flatMap(({ startLine, endLine }) =>
    startLine === undefined || endLine === undefined ? [] : [{ first: startLine - 1, last: endLine - 1 }],
  );
  if (ranges.length === sections.length)
    return { text: new MeasuredLines(splitLines(text)), starts: ranges, hasLines: true };
  const lines: string[] = [];
  const starts = sections.map((section: Section) => {
    if (lines.length > 0) lines.push("");
    const first = lines.length;
    for (const line of splitLines(section.text)) lines.push(line);
    return { first, last: lines.length - 1 };
  });
  return { text: new MeasuredLines(lines), starts, hasLines: false };
}

function passagesOf(
  section: SectionNode,
  text: MeasuredLines,
  first: number,
  last: number,
  sizes: SplitSizes,
): Passage[] {
  let from = first;
  let to = last;
  while (from <= to && text.isBlank(from)) from++;
  while (to >= from && text.isBlank(to)) to--;
  if (from > to) return [];
  const isBare = hasNothing(section, text, from, to);
  if (text.quarters(from, to) <= sizes.max) return [{ span: { from, to }, section, isBare, isPart: false }];
  return splitText(text, from, to, sizes).map((span) => ({ span, section, isBare: false, isPart: true }));
}

const rule = /^[-*_ \t]{3,}$/;
const underline = /^ {0,3}(?:=+|-+)[ \t]*$/;

/** Whether there is nothing but the heading, and lines drawn below it. */
function hasNothing({ level }: SectionNode, text: MeasuredLines, from: number, to: number): boolean {
  let body = from;
  if (level > 0) {
    body = from + 1;
    // A heading of several lines, underlined.
    let end = from;
    while (end < to && !text.isBlank(end + 1) && !underline.test(text.line(end))) end++;
    if (end > from && underline.test(text.line(end)) && !/^ {0,3}#/.test(text.line(from))) body = end + 1;
  }
  for (let line = body; line <= to; line++)
    if (!text.isBlank(line) && !rule.test(text.line(line))) return false;
  return true;
}
