// Which indexed path was probably meant by one that is not there. Leaves the event loop its turns, however many there are.
import { setImmediate } from "node:timers/promises";
import { throwIfCancelled } from "../search/cancelled.js";
import { fold } from "../text/fold.js";
import { nearestName } from "../text/nearest-name.js";

export interface KnownPath {
  readonly path: string;
  /** Folded. */
  readonly pathKey: string;
}

export interface NearPaths {
  /** Those that differ in case, width and Unicode form only. */
  readonly equal: readonly string[];
  /** The likeliest of all; undefined if none is near. */
  readonly path: string | undefined;
}

/** Paths that are looked at in one turn: about 10 ms where each is compared letter by letter. */
const pathsAtOnce = 1000;

/** Written in another form, with folders too many or too few, without its extension, or with a slip of the finger. */
export async function nearestPath(
  wrong: string,
  known: readonly KnownPath[],
  signal: AbortSignal,
): Promise<NearPaths> {
  const key = fold(wrong);
  const name = nameOf(key);
  const kinds: ((pathKey: string, file: string) => boolean)[] = [
    (pathKey) => pathKey === key,
    (pathKey) => endsInPath(key, pathKey) || endsInPath(pathKey, key),
    (_pathKey, file) => file === name,
    (pathKey, file) => pathKey.startsWith(`${key}.`) || file.startsWith(`${name}.`),
  ];
  const groups = kinds.map((): string[] => []);
  const names = new Set<string>();
  for await (const slice of inTurns(known, signal))
    for (const { path, pathKey } of slice) {
      names.add(nameOf(path));
      const file = nameOf(pathKey);
      groups[kinds.findIndex((matches) => matches(pathKey, file))]?.push(path);
    }
  const nearest = (paths: readonly string[]): Promise<string | undefined> => nearestOf(wrong, paths, signal);
  const likeliest = async (paths: readonly string[]): Promise<string | undefined> =>
    (await nearest(paths)) ?? leastOf(paths);

  const equal = groups[0] ?? [];
  const group = groups.find(({ length }) => length > 0);
  if (group !== undefined) return { equal, path: await likeliest(group) };
  const paths = known.map(({ path }) => path);
  // Names are fewer and shorter than paths.
  const file = await nearestOf(nameOf(wrong), [...names], signal);
  if (file === undefined) return { equal, path: await nearest(paths) };
  return { equal, path: await likeliest(paths.filter((path) => nameOf(path) === file)) };
}

/** The same whatever the order of the names. */
async function nearestOf(
  wrong: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const length = comparedLength(wrong);
  const best: string[] = [];
  for await (const slice of inTurns(names, signal)) {
    // A name of another length is at least that far away; nearestName takes what is a third of its length away.
    const possible = slice.filter((name) => {
      const own = comparedLength(name);
      return Math.abs(own - length) <= Math.max(2, own / 3);
    });
    const near = nearestName(wrong, possible.sort());
    if (near !== undefined) best.push(near);
  }
  return nearestName(wrong, best.sort());
}

/** Without what nearestName does not compare. */
function comparedLength(name: string): number {
  return name.replace(/[-_\s]/gu, "").length;
}

async function* inTurns<Item>(items: readonly Item[], signal: AbortSignal): AsyncGenerator<readonly Item[]> {
  for (let at = 0; at < items.length; at += pathsAtOnce) {
    if (at > 0) await setImmediate();
    throwIfCancelled(signal);
    yield items.slice(at, at + pathsAtOnce);
  }
}

function leastOf(paths: readonly string[]): string | undefined {
  return paths.reduce<string | undefined>(
    (least, path) => (least === undefined || path < least ? path : least),
    undefined,
  );
}

/** Whether a path is the other below some folder. */
function endsInPath(whole: string, end: string): boolean {
  return whole.charAt(whole.length - end.length - 1) === "/" && whole.endsWith(end);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
