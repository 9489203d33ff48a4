// Finds what a caller probably meant by a name that does not exist.
import { distance } from "fastest-levenshtein";

/** Longer names are nobody's slip of the finger, and the distance costs the product of the lengths. */
const longestName = 60;

/** The known name that a wrong one is a slip of, compared without case, "-" and "_"; undefined if none is near. */
export function nearestName(wrong: string, known: readonly string[]): string | undefined {
  if (wrong.length > longestName) return undefined;
  const target = bare(wrong);
  const ranked = known
    .map((name) => ({ name, away: distance(target, bare(name)) }))
    .sort((a, b) => a.away - b.away);
  const best = ranked[0];
  return best !== undefined && best.away <= Math.max(2, Math.floor(bare(best.name).length / 3))
    ? best.name
    : undefined;
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/gu, "");
}
