// Whether there is an index that this configuration can search, how far, and what a reader of its replies should know
// of it.
import { isKbError, KbError, mayBeShown } from "../errors.js";
import type { Lazy } from "../lazy.js";
import type { VectorStore } from "../plugin-api.js";
import { currentIdentity, type IdentityDependencies } from "./current-identity.js";
import {
  completeKey,
  differenceNote,
  identityDifferences,
  mismatch,
  type IdentityDifferences,
} from "./index-identity.js";
import type { IndexRuns } from "./index-runs.js";
import type { IndexProgress } from "./index-summary.js";
import { writerLeaseHolder } from "./writer-lease.js";

export interface IndexStateDependencies extends IdentityDependencies {
  readonly indexDirectory: string;
  readonly ephemeral?: boolean;
  readonly store: Lazy<VectorStore>;
  readonly runs: Pick<IndexRuns, "progress" | "failure" | "lastFailure">;
}

export interface IndexState {
  /**
   * The notes for a reply about the index as it is now: none if it is complete and fits.
   * @throws KbError KB_STORE_EMPTY if there is no index and none is being built, KB_STORE_MISMATCH if it cannot even be
   *   searched by words; what the last run to fill an ephemeral index failed with
   */
  notes(): Promise<string[]>;
  /**
   * Why no vector of the embedder may be compared with those of the index, in a sentence; undefined if they fit.
   * @throws KbError KB_STORE_MISMATCH
   */
  vectorMismatch(): Promise<string | undefined>;
}

export function createIndexState(dependencies: IndexStateDependencies): IndexState {
  const { runs } = dependencies;
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

  let told: { readonly error: unknown; readonly version: string } | undefined;
  /** Nothing once the index has changed: another process may have done what the run of this one could not. */
  const staleNotes = (version: string): string[] => {
    const error = runs.lastFailure();
    if (error === undefined) return [];
    if (told?.error !== error) told = { error, version };
    // A difference of settings is said by itself.
    const isDifference = isKbError(error) && error.code === "KB_STORE_MISMATCH";
    return told.version !== version || isDifference ? [] : [describeStale(error)];
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
      const running = runs.progress();
      const failure = runs.failure();
      const notes = difference === undefined ? [] : [difference];
      if (running !== undefined)
        return [describeRun(running), ...(failure ? [describeFailure(failure.error)] : []), ...notes];
      if (failure !== undefined) throw failure.error;
      if (state?.complete === true) return [...notes, ...staleNotes(state.version)];
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
        ...staleNotes(state.version),
        ...notes,
      ];
    },
  };
}

function describeRun({ phase, filesDone, filesTotal }: IndexProgress): string {
  return phase === "scan"
    ? "Indexing has just started: results may be incomplete."
    : `Indexing is under way (${filesDone} of ${filesTotal} changed files done): results may be incomplete.`;
}

function describeFailure(error: unknown): string {
  const reason = mayBeShown(error) ? ` (${error.code}: ${error.message})` : "";
  return `The last attempt to fill the index failed${reason}; this is another one.`;
}

function describeStale(error: unknown): string {
  const reason = mayBeShown(error) ? ` (${error.code}: ${error.message})` : "";
  return `The last index run failed${reason}: what has changed since may not be in the index. Run kb-mcp index, or rebuild_index.`;
}
