// Tells listeners what changed among the resources, from what the indexer commits: few words about many changes.
// It reads the servable set and nothing else.
import type { Logger } from "../plugin-api.js";
import type { ResourceChange } from "./document-reply.js";
import { topicOf } from "./document-path.js";
import { documentUri, topicUri } from "./document-uri.js";
import type { ServableDocument } from "./servable-set.js";
import { topicGroups } from "./topics.js";

/** Milliseconds after a commit until it is told, at least and at most. */
const delays = { least: 250, most: 10_000 };

export interface ResourceChanges {
  /** @returns ends it */
  listen(listener: (change: ResourceChange) => void): () => void;
  /** Looks at what is on offer before a run changes it. */
  prepare(): Promise<void>;
  /** Takes note of documents that were written or removed; they are told of a little later. */
  commit(paths: readonly string[]): void;
  /** Tells at once what has been noted. */
  flush(): Promise<void>;
  /** Drops what has been noted and tells nothing more. */
  close(): Promise<void>;
}

/**
 * Changes that come in a burst are told together: the longer the burst, the longer the pause between two tellings.
 * @param servable the servable set as it is now
 */
export function createResourceChanges(
  servable: () => Promise<readonly ServableDocument[]>,
  logger: Logger,
): ResourceChanges {
  const listeners = new Set<(change: ResourceChange) => void>();
  /** What listeners were told last; undefined while nobody listens. */
  let known: readonly ServableDocument[] | undefined;
  let noted = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let burstBegan = 0;
  let lastCommit = -Infinity;
  let telling: Promise<void> = Promise.resolve();

  const look = (): Promise<readonly ServableDocument[] | undefined> =>
    servable().catch((error: unknown) => {
      logger.debug(`looking at the resources: ${String(error)}`);
      return undefined;
    });
  const forget = (): void => {
    clearTimeout(timer);
    timer = undefined;
    noted = new Set();
    known = undefined;
  };
  const tell = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (noted.size === 0) return;
    const paths = noted;
    noted = new Set();
    const now = await look();
    if (listeners.size === 0) return;
    const change = now === undefined ? unseenChange(paths) : compare(known, now, paths);
    known = now ?? known;
    for (const listener of [...listeners]) listener(change);
  };
  const flush = (): Promise<void> => (telling = telling.then(tell));

  return {
    listen(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) forget();
      };
    },
    async prepare() {
      if (listeners.size > 0 && known === undefined) known = await look();
    },
    commit(paths) {
      if (listeners.size === 0) return;
      for (const path of paths) noted.add(path);
      const now = performance.now();
      if (now - lastCommit > delays.most) burstBegan = now;
      lastCommit = now;
      const delay = Math.min(delays.most, Math.max(delays.least, now - burstBegan));
      timer ??= setTimeout(() => void flush(), delay).unref();
    },
    flush,
    async close() {
      listeners.clear();
      forget();
      await telling;
    },
  };
}

/** What can be said when the servable set cannot be read. */
function unseenChange(paths: ReadonlySet<string>): ResourceChange {
  return { updated: new Set([...paths].map(documentUri)), listChanged: false };
}

/**
 * @param before undefined if it is not known
 * @param committed paths whose documents were written or removed
 */
function compare(
  before: readonly ServableDocument[] | undefined,
  after: readonly ServableDocument[],
  committed: ReadonlySet<string>,
): ResourceChange {
  const updated = new Set([...committed].map(documentUri));
  const touch = (topic: string): void => {
    for (const { topic: group } of topicGroups([{ topic }])) updated.add(topicUri(group));
  };
  if (before === undefined) {
    for (const path of committed) touch(topicOf(path));
    return { updated, listChanged: true };
  }
  for (const { path, topic } of listedDifferently(before, after)) {
    updated.add(documentUri(path));
    touch(topic);
  }
  const names = (documents: readonly ServableDocument[]): string =>
    JSON.stringify(topicGroups(documents).map(({ topic }) => topic));
  return { updated, listChanged: names(before) !== names(after) };
}

/** Documents that are in one list only, or under another title. Both lists are in order of path. */
function* listedDifferently(
  before: readonly ServableDocument[],
  after: readonly ServableDocument[],
): Generator<ServableDocument> {
  let [i, j] = [0, 0];
  for (;;) {
    const [old, current] = [before[i], after[j]];
    if (old !== undefined && (current === undefined || old.path < current.path)) {
      yield old;
      i++;
    } else if (current !== undefined && (old === undefined || current.path < old.path)) {
      yield current;
      j++;
    } else if (old !== undefined && current !== undefined) {
      if (old.title !== current.title) yield current;
      i++;
      j++;
    } else return;
  }
}
