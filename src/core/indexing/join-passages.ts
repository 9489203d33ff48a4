// Joins what is too small to be a chunk of its own: bare headings with what follows them, tiny sections with their
// neighbours.
import type { MeasuredLines, Span } from "./measured-lines.js";
import { isWithin, type SectionNode } from "./section-tree.js";
import type { SplitSizes } from "./split-line.js";

/** A chunk in the making. */
export interface Passage {
  readonly span: Span;
  /** The section it is shown under; undefined for the document as a whole. */
  readonly section: SectionNode | undefined;
  /** A heading with nothing under it. */
  readonly isBare: boolean;
  /** A part of a section that was split. */
  readonly isPart: boolean;
}

/**
 * A bare heading goes with the next passage and is shown as that one: a path that ends in the substance says more.
 * Where nothing follows within the same parent it goes with the passage above.
 */
export function joinBareHeadings(
  passages: readonly Passage[],
  text: MeasuredLines,
  sizes: SplitSizes,
): Passage[] {
  const belongs = (bare: Passage, other: Passage): boolean =>
    bare.isBare && isWithin(other.section, bare.section?.parent);
  // From the end, so that a bare heading meets what follows it in its final form.
  const upwards: Passage[] = [];
  for (const passage of [...passages].reverse()) {
    const below = upwards.at(-1);
    const span = below && belongs(passage, below) ? touching(passage, below, text, sizes.max) : undefined;
    if (below !== undefined && span !== undefined) upwards.splice(-1, 1, { ...below, span });
    else upwards.push(passage);
  }
  const downwards: Passage[] = [];
  for (const passage of upwards.reverse()) {
    const above = downwards.at(-1);
    const span = above && belongs(passage, above) ? touching(above, passage, text, sizes.max) : undefined;
    if (above !== undefined && span !== undefined) downwards.splice(-1, 1, { ...above, span });
    else downwards.push(passage);
  }
  return downwards;
}

/**
 * Neighbours of less than a third of the target under one parent become one passage of up to the target, shown under
 * that parent. A section also takes in the tiny ones under it.
 */
export function joinTinySections(
  passages: readonly Passage[],
  text: MeasuredLines,
  sizes: SplitSizes,
): Passage[] {
  const result: Passage[] = [];
  let aboveIsTiny = false;
  for (const passage of passages) {
    const above = result.at(-1);
    const isTiny = !passage.isPart && text.measure(passage.span) * 3 < sizes.target;
    const shared = above !== undefined && isTiny ? sharedSection(above, passage, aboveIsTiny) : undefined;
    const span = above && touching(above, passage, text, sizes.target);
    if (above !== undefined && shared !== undefined && span !== undefined) {
      result.splice(-1, 1, { ...above, span, section: shared.section });
    } else {
      result.push(passage);
      aboveIsTiny = isTiny;
    }
  }
  return result;
}

/** What two passages are shown under when they are one; undefined if they should not be. */
function sharedSection(
  { section }: Passage,
  passage: Passage,
  bothTiny: boolean,
): { readonly section: SectionNode | undefined } | undefined {
  const isUntitled = section?.level === 0;
  if (!isUntitled && isWithin(passage.section, section)) return { section };
  if (!bothTiny || passage.section?.parent !== section?.parent) return undefined;
  // Text before the first heading has none to be shown under, and belongs to what follows.
  return { section: isUntitled ? passage.section : section?.parent };
}

/** The span of two passages, if they are neighbours and no larger than `most` together. */
function touching(first: Passage, second: Passage, text: MeasuredLines, most: number): Span | undefined {
  const span = {
    from: first.span.from,
    ...(first.span.fromOffset !== undefined && { fromOffset: first.span.fromOffset }),
    to: second.span.to,
    ...(second.span.toOffset !== undefined && { toOffset: second.span.toOffset }),
  };
  if (first.span.toOffset !== undefined || second.span.fromOffset !== undefined) return undefined;
  if (!text.areNeighbours(first.span.to, second.span.from)) return undefined;
  return text.measure(span) <= most ? span : undefined;
}
