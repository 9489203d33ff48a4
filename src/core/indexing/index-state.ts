// Whether there is an index that this configuration can search, how far, and what a reader of its replies should know
// of it.
import { isKbError, KbError } from "../errors.js";
import type { Lazy } from "../lazy.js";
import type { Embedder, VectorStore } from "../plugin-api.js";
import { isOfEmbedder } from "./embedder-failure.js";
import {
  completeKey,
  differenceNote,
  identityDifferences,
  identityWithoutEmbedder,
  indexIdentity,
  mismatch,
  type IdentityDifferences,
  type IndexIdentity,
} from "./index-identity.js";
import type { IndexProgress } from "./index-summary.js";
import { writerLeaseHolder } from "./writer-lease.js";

export interface IdentityDependencies {
  readonly excludeHeadings: readonly string[];
  readonly embedderId: string;
  /** The embedder, or soon an error: whoever reads the state waits for it. */
  readonly embedder: () => Promise<Embedder>;
}

export interface IndexStateDependencies extends IdentityDependencies {
  readonly indexDirectory: string;
  readonly ephemeral?: boolean;
  readonly store: Lazy<VectorStore>;
}

export interface IndexState {
  /**
   * The notes for a reply about the index as it is now: none if it is complete and fits.
   * @throws KbError KB_STORE_EMPTY if there is no index and none is being built, KB_STORE_MISMATCH if it cannot even be
   *   searched by words
   */
  notes(): Promise<string[]>;
  /**
   * Why no vector of the embedder may be compared with those of the index, in a sentence; undefined if they fit.
   * @throws KbError KB_STORE_MISMATCH
   */
  vectorMismatch(): Promise<string | undefined>;
}

/** @param progress of the run under way in this process */
export function createIndexState(
  dependencies: IndexStateDependencies,
  progress: () => IndexProgress | undefined,
): IndexState {
  interface Checked extends IdentityDifferences {
    readonly version: string;
    readonly complete: boolean;
  }
  let checked: Checked | undefined;

  const check = async (): Promise<Checked | undefined> => {
    const store = await dependencies.store.get();
    const version = await store.version();
    if (checked?.version === version) return checked;
    const meta = await store.readMeta();
    if (meta === undefined) return undefined;
    const { identity, isWhole } = await currentIdentity(dependencies, meta);
    const found = { ...identityDifferences(meta, identity), version, complete: meta[completeKey] === "yes" };
    if (isWhole) checked = found;
    return found;
  };

  return {
    async vectorMismatch() {
      const state = await check();
      if (state?.goodFor === "nothing") throw mismatch(state);
      return state?.goodFor === "words" ? differenceNote(state) : undefined;
    },
    async notes() {
      // First: a run must not hide that the index has another make.
      const state = await check();
      if (state?.goodFor === "nothing") throw mismatch(state);
      const difference = state && differenceNote(state);
      const running = progress();
      const notes = difference === undefined ? [] : [difference];
      if (running !== undefined) return [describeRun(running), ...notes];
      if (state?.complete === true) return notes;
      const writer =
        dependencies.ephemeral === true ? undefined : await writerLeaseHolder(dependencies.indexDirectory);
      if (writer !== undefined)
        return [
          `Another kb-mcp process (pid ${writer.pid}) is building the index: results may be incomplete.`,
          ...notes,
        ];
      if (state === undefined)
        throw new KbError("KB_STORE_EMPTY", "This knowledge base has not been indexed yet");
      return [
        "The first index run did not finish, so results may be incomplete; run kb-mcp index.",
        ...notes,
      ];
    },
  };
}

/**
 * The identity of the configuration. An embedder that cannot be made does not keep the words from being searched: what
 * does not depend on it is compared all the same.
 * @param built with what the index was built; where another embedder is named, its own need not be made
 */
export async function currentIdentity(
  { embedder, embedderId, excludeHeadings }: IdentityDependencies,
  built: Readonly<Record<string, string>>,
): Promise<{ identity: Partial<IndexIdentity>; isWhole: boolean; failure?: KbError }> {
  const known = identityWithoutEmbedder(embedderId, excludeHeadings);
  if (built["embedder"] !== embedderId) return { identity: known, isWhole: true };
  try {
    return { identity: indexIdentity(embedderId, await embedder(), excludeHeadings), isWhole: true };
  } catch (error) {
    if (!isKbError(error) || !isOfEmbedder(error)) throw error;
    return { identity: known, isWhole: false, failure: error };
  }
}

function describeRun({ phase, filesDone, filesTotal }: IndexProgress): string {
  return phase === "scan"
    ? "Indexing has just started: results may be incomplete."
    : `Indexing is under way (${filesDone} of ${filesTotal} changed files done): results may be incomplete.`;
}
