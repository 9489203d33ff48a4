// Whether there is an index that this configuration can search, and what a reader of its replies should know of it.
import { KbError } from "../errors.js";
import type { Lazy } from "../lazy.js";
import type { Embedder, VectorStore } from "../plugin-api.js";
import { completeKey, indexIdentity, readFittingMeta } from "./index-identity.js";
import type { IndexProgress } from "./index-summary.js";
import { writerLeaseHolder } from "./writer-lease.js";

export interface IndexStateDependencies {
  readonly indexDirectory: string;
  readonly excludeHeadings: readonly string[];
  readonly store: Lazy<VectorStore>;
  readonly embedder: Lazy<Embedder>;
  readonly embedderId: string;
}

/**
 * A function that gives the notes for a reply about the index as it is now: none if it is complete.
 * @param progress of the run under way in this process
 * @returns a function that throws KbError KB_STORE_EMPTY if there is no index and none is being built, and
 * KB_STORE_MISMATCH if the index was built with other settings
 */
export function createIndexNotes(
  dependencies: IndexStateDependencies,
  progress: () => IndexProgress | undefined,
): () => Promise<string[]> {
  let checked: { readonly version: string; readonly complete: boolean } | undefined;

  const isComplete = async (): Promise<boolean | undefined> => {
    const store = await dependencies.store.get();
    const version = await store.version();
    if (checked?.version !== version) {
      const { embedderId, embedder, excludeHeadings } = dependencies;
      const identity = indexIdentity(embedderId, await embedder.get(), excludeHeadings);
      const meta = await readFittingMeta(store, identity);
      if (meta === undefined) return undefined;
      checked = { version, complete: meta[completeKey] === "yes" };
    }
    return checked.complete;
  };

  return async () => {
    // First: a run must not hide that the index has another make.
    const complete = await isComplete();
    const running = progress();
    if (running !== undefined) return [describeRun(running)];
    if (complete === true) return [];
    const writer = await writerLeaseHolder(dependencies.indexDirectory);
    if (writer !== undefined)
      return [`Another kb-mcp process (pid ${writer.pid}) is building the index: results may be incomplete.`];
    if (complete === undefined)
      throw new KbError("KB_STORE_EMPTY", "This knowledge base has not been indexed yet");
    return ["The first index run did not finish, so results may be incomplete; run kb-mcp index."];
  };
}

function describeRun({ phase, filesDone, filesTotal }: IndexProgress): string {
  return phase === "scan"
    ? "Indexing has just started: results may be incomplete."
    : `Indexing is under way (${filesDone} of ${filesTotal} changed files done): results may be incomplete.`;
}
