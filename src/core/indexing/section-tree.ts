// The sections of a document as a tree: who stands under which heading.
import type { Section } from "../plugin-api.js";
import { fold } from "../text/fold.js";

export interface SectionNode {
  readonly heading?: string;
  readonly level: number;
  /** The section it stands under. */
  readonly parent?: SectionNode;
  /** Titles from the document's top heading down to its own. */
  readonly path: readonly string[];
  /** Its heading, or one above it, is not to be indexed. */
  readonly excluded: boolean;
}

/** One node for each section, in order. */
export function sectionTree(sections: readonly Section[], excludeHeadings: readonly string[]): SectionNode[] {
  const excludedKeys = new Set(excludeHeadings.map((heading) => fold(heading.trim())));
  const open: SectionNode[] = [];
  return sections.map(({ heading, level }) => {
    while (open.length > 0 && (level === 0 || (open.at(-1)?.level ?? 0) >= level)) open.pop();
    const parent = open.at(-1);
    const title = heading?.trim() ?? "";
    const node: SectionNode = {
      ...(title !== "" && { heading: title }),
      level,
      ...(parent !== undefined && { parent }),
      path: title === "" ? (parent?.path ?? []) : [...(parent?.path ?? []), title],
      excluded: parent?.excluded === true || (title !== "" && excludedKeys.has(fold(title))),
    };
    if (level > 0) open.push(node);
    return node;
  });
}

/** Whether a node stands under another, at any depth, or is it. Everything stands under undefined, the document. */
export function isWithin(node: SectionNode | undefined, above: SectionNode | undefined): boolean {
  if (above === undefined) return true;
  for (let each = node; each !== undefined; each = each.parent) if (each === above) return true;
  return false;
}
