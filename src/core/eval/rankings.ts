// What each leg ranked, as documents by their best passage: the unit in which answers are named. A section that a
// question asks for by its heading is a unit of its own.
import type { SearchHit } from "../search/search-reply.js";
import { splitLines } from "../text/lines.js";
import { fold } from "../text/fold.js";
import type { GoldenTarget } from "./golden-set.js";

/** The two legs of a search, and what search makes of them. */
export const legs = ["lexical", "vector", "fused"] as const;
export type Leg = (typeof legs)[number];

/** Units, best first, by leg. */
export type Rankings = Readonly<Record<Leg, readonly string[]>>;

/** What a hit must have to be ranked. */
export type RankedHit = Pick<SearchHit, "path" | "heading" | "heading_path" | "content" | "explanation">;

/** The unit that a target names. */
export function unitOf({ path, heading }: GoldenTarget): string {
  const key = pathKey(path);
  return heading === undefined ? key : `${key}\n${fold(heading)}`;
}

/** Disks and editors spell one name in two Unicode forms. */
export function pathKey(path: string): string {
  return path.normalize("NFC");
}

/** @param hits of one search, best first, every hit of each leg among them */
export function rankingsOf(hits: readonly RankedHit[], expected: readonly GoldenTarget[]): Rankings {
  const of = (leg: "lexical" | "vector"): readonly string[] =>
    rank(
      hits
        .filter(({ explanation }) => explanation?.[leg] !== undefined)
        .sort((a, b) => (a.explanation?.[leg]?.rank ?? 0) - (b.explanation?.[leg]?.rank ?? 0)),
      expected,
    );
  return { lexical: of("lexical"), vector: of("vector"), fused: rank(hits, expected) };
}

function rank(hits: readonly RankedHit[], expected: readonly GoldenTarget[]): string[] {
  return [...new Set(hits.flatMap((hit) => unitsOf(hit, expected)))];
}

/** The sections that a hit is in, of those asked for in its document; the document itself where none is asked for. */
function unitsOf(hit: RankedHit, expected: readonly GoldenTarget[]): string[] {
  const key = pathKey(hit.path);
  const sections = expected.filter((target) => target.heading !== undefined && pathKey(target.path) === key);
  if (sections.length === 0) return [key];
  const units = sections.filter(({ heading = "" }) => isUnder(hit, heading)).map(unitOf);
  // Another place of the right document is one wrong answer, however many passages of it are found.
  return units.length > 0 ? units : [`${key}\n`];
}

/**
 * Whether a passage is under a heading, or holds it: small sections are joined to one passage, which keeps the heading
 * path of the first.
 */
export function isUnder(
  { heading, heading_path: path, content }: Pick<RankedHit, "heading" | "heading_path" | "content">,
  wanted: string,
): boolean {
  const key = headingKey(wanted);
  return (
    [...path, ...(heading === undefined ? [] : [heading])].some((one) => headingKey(one) === key) ||
    headingsIn(content).includes(key)
  );
}

/** The lines of a passage that may be headings, as keys. */
function headingsIn(content: string): string[] {
  return splitLines(content)
    .filter((line) => line.startsWith("#"))
    .map(headingKey);
}

/** Headings are compared folded, without the marks that Markdown puts around them. */
function headingKey(heading: string): string {
  return fold(heading.replace(/^\s*#{1,6}(?=\s)|(?:\s#+)?\s*$/gu, "").trim());
}
