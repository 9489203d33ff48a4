// Where the right answer was when it did not come early enough, and why.
import type { StoredChunk, VectorStore } from "../plugin-api.js";
import { nearestName } from "../text/nearest-name.js";
import type { Answer } from "./ask-questions.js";
import type { Miss, MissedTarget } from "./eval-report.js";
import type { GoldenTarget } from "./golden-set.js";
import { isUnder, legs, pathKey, unitOf } from "./rankings.js";

/** Paths among which a similar one is looked for; each costs a comparison for every one that is missing. */
const mostCandidates = 5000;

export interface MissOptions {
  /** Documents within which an answer counts as found, where a question says nothing else. */
  readonly limit: number;
  /** Passages of a lower quality are hidden; undefined where none are. */
  readonly hiddenBelow: number | undefined;
}

/** The questions for which an expected place is not within the limit, in the order asked. */
export async function missesOf(
  answers: readonly Answer[],
  store: VectorStore,
  options: MissOptions,
): Promise<Miss[]> {
  const misses: Miss[] = [];
  let paths: ReadonlyMap<string, string> | undefined;
  for (const { question, rankings, first, mode } of answers) {
    const limit = question.limit ?? options.limit;
    const within = new Set(rankings.fused.slice(0, limit));
    const late = question.expected.filter((target) => !within.has(unitOf(target)));
    if (late.length === 0) continue;
    paths ??= await indexedPaths(store);
    const missing: MissedTarget[] = [];
    for (const target of late) {
      const ranks = Object.fromEntries(
        legs.flatMap((leg) => {
          const rank = rankings[leg].indexOf(unitOf(target)) + 1;
          return rank > 0 ? [[leg, rank]] : [];
        }),
      );
      const why =
        Object.keys(ranks).length > 0
          ? { reason: "outranked" as const }
          : await reasonOf(
              target,
              paths,
              store,
              question.filters.include_low_quality === true ? undefined : options.hiddenBelow,
            );
      missing.push({ ...target, ranks, ...why });
    }
    const { query, id, tag, line, expected } = question;
    misses.push({
      query,
      ...(id !== undefined && { id }),
      ...(tag !== undefined && { tag }),
      line,
      limit,
      expected: expected.length,
      found: expected.length - late.length,
      missing,
      instead: [...first],
      mode,
    });
  }
  return misses;
}

/** Why no leg has a place among its best passages. */
async function reasonOf(
  { path, heading }: GoldenTarget,
  paths: ReadonlyMap<string, string>,
  store: VectorStore,
  hiddenBelow: number | undefined,
): Promise<Pick<MissedTarget, "reason" | "nearest">> {
  const indexed = paths.get(pathKey(path));
  if (indexed === undefined) {
    const nearest = nearestPath(path, [...paths.values()]);
    return { reason: "not_indexed", ...(nearest !== undefined && { nearest }) };
  }
  const chunks = await store.documentChunks(indexed);
  const section = heading === undefined ? chunks : chunks.filter((chunk) => isUnder(placeOf(chunk), heading));
  if (heading !== undefined && section.length === 0) {
    const headings = new Set(chunks.flatMap(({ headingPath, heading: own }) => [...headingPath, own ?? ""]));
    const nearest = nearestName(heading, [...headings].filter(Boolean));
    return { reason: "no_such_heading", ...(nearest !== undefined && { nearest }) };
  }
  const isHidden = hiddenBelow !== undefined && section.every(({ quality }) => quality < hiddenBelow);
  return { reason: isHidden ? "hidden" : "not_found" };
}

function placeOf({ heading, headingPath, content }: StoredChunk): Parameters<typeof isUnder>[0] {
  return { heading_path: headingPath as string[], content, ...(heading !== undefined && { heading }) };
}

/** The indexed paths by their key. */
async function indexedPaths(store: VectorStore): Promise<Map<string, string>> {
  const paths = new Map<string, string>();
  for await (const batch of store.documents(["path"]))
    for (const { path } of batch) paths.set(pathKey(path), path);
  return paths;
}

/** A document that was moved keeps its name; one that was misspelt is near. */
function nearestPath(wrong: string, paths: readonly string[]): string | undefined {
  const nameOf = (path: string): string => pathKey(path.slice(path.lastIndexOf("/") + 1)).toLowerCase();
  const moved = paths.filter((path) => nameOf(path) === nameOf(wrong));
  return moved.length === 1 ? moved[0] : nearestName(wrong, paths.slice(0, mostCandidates));
}
