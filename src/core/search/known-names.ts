// The categories, topics and tags that passages can be asked for by: which was probably meant by a name that is none of
// them, and which are used most. Bounded, whatever documents say.
import { setImmediate } from "node:timers/promises";
import type { VectorStore } from "../plugin-api.js";
import { fold } from "../text/fold.js";
import { nearestName } from "../text/nearest-name.js";
import { shortened } from "../text/shortened.js";
import { throwIfCancelled } from "./cancelled.js";

export type NameKind = "category" | "topic" | "tag";

interface NameUse {
  readonly name: string;
  documents: number;
}

/** By folded name. A name of more than 80 characters stands there shortened. */
export type KnownNames = Readonly<Record<NameKind, ReadonlyMap<string, NameUse>>>;

/** Characters of a name that are kept. */
const nameLength = 80;
/** Different names of a kind that are kept: enough for any hand-made set, and few megabytes. */
const namesMax = 10_000;
/** Tags of one document that are looked at. */
const tagsMax = 100;
/** Names compared in one turn of the event loop. */
const namesAtOnce = 1000;

/**
 * The names of all documents that have a passage; topics and nested tags with those above them.
 * @throws KbError KB_CANCELLED, KB_STORE_*
 */
export async function readKnownNames(store: VectorStore, signal: AbortSignal): Promise<KnownNames> {
  const known = {
    category: new Map<string, NameUse>(),
    topic: new Map<string, NameUse>(),
    tag: new Map<string, NameUse>(),
  };
  for await (const batch of store.documents(["category", "topic", "tags", "chunkCount"])) {
    throwIfCancelled(signal);
    for (const { category, topic, tags, chunkCount } of batch) {
      if (chunkCount === 0) continue;
      if (category !== undefined) count(known.category, [shortened(category, nameLength)]);
      count(known.topic, withNamesAbove(topic));
      count(known.tag, tags.slice(0, tagsMax).flatMap(withNamesAbove));
    }
  }
  return known;
}

/** @throws KbError KB_CANCELLED */
export async function nearestKnown(
  wrong: string,
  names: ReadonlyMap<string, NameUse>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const written = fold(wrong);
  // What was shortened is nobody's name.
  const whole = [...names.values()].map(({ name }) => name).filter((name) => !name.endsWith("…"));
  whole.sort();
  const near: string[] = [];
  for (let at = 0; at < whole.length; at += namesAtOnce) {
    if (at > 0) await setImmediate();
    throwIfCancelled(signal);
    const nearest = nearestName(written, whole.slice(at, at + namesAtOnce));
    if (nearest !== undefined) near.push(nearest);
  }
  return nearestName(written, near);
}

/** Names by the number of documents that have them, largest first. */
export function mostUsed(names: ReadonlyMap<string, NameUse>, most: number): string[] {
  return [...names.values()]
    .sort((a, b) => b.documents - a.documents || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);
}

/** @param found in one document */
function count(names: Map<string, NameUse>, found: readonly string[]): void {
  for (const [key, name] of new Map(found.map((each) => [fold(each), each]))) {
    const use = names.get(key);
    if (use !== undefined) use.documents += 1;
    else if (names.size < namesMax) names.set(key, { name, documents: 1 });
  }
}

/** Of "a/b": "a" and "a/b"; of the root's topic none. */
function withNamesAbove(name: string): string[] {
  const slashes = [...name.slice(0, nameLength).matchAll(/\//gu)];
  return [...slashes.map(({ index }) => name.slice(0, index)), shortened(name, nameLength)].filter(
    (each) => each !== "",
  );
}
