// Finds what a caller probably meant by a name that does not exist.
import { distance } from "fastest-levenshtein";

/** Longer names are nobody's slip of the finger, and the distance costs the product of the lengths. */
const longestName = 60;

/** The known name that a wrong one is a slip of, compared without case, "-" and "_"; undefined if none is near. */
export function nearestName(wrong: string, known: readonly string[]): string | undefined {
  if (wrong.length > longestName) return undefined;
  const target = bare(wrong);
  const ranked = known
    .filter((name) => name.length <= 2 * longestName)
    .map((name) => ({ name, length: bare(name).length, away: distance(target, bare(name)) }))
    .sort((a, b) => a.away - b.away);
  const best = ranked[0];
  // Names of two characters, as Japanese has them, are never near when nothing of them agrees.
  return best !== undefined &&
    best.away <= Math.max(2, Math.floor(best.length / 3)) &&
    best.away < Math.max(best.length, target.length)
    ? best.name
    : undefined;
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/gu, "");
}
