// The middle of a run: changed files flow through preparation, embedding and storing, each step working on the
// next group while the one after it works on the last.
import type { Embedder, VectorStore } from "../plugin-api.js";
import type { WalkedFile } from "../documents/walk.js";
import { refuseIfCancelled } from "./cancellation.js";
import { concernsEveryText } from "./embedder-failure.js";
import { embedDocuments, type EmbeddedGroup } from "./embed-documents.js";
import { createGroupCommitter, type Commit } from "./group-committer.js";
import { matchMoves, type Move } from "./moved-documents.js";
import { prefetch } from "./prefetch.js";
import {
  prepareDocument,
  type PreparationDependencies,
  type PreparedDocument,
  type TouchedDocument,
} from "./prepare-document.js";
import type { RunReport } from "./run-report.js";
import type { Fingerprint, ScanPlan } from "./scan.js";
import { updateFingerprints } from "./update-fingerprints.js";

/** Chunks embedded and committed together: about two seconds of the slowest embedder, and few commits. */
const groupChunks = 64;
/** Groups given to the embedder at once, so that its workers never wait for the next. */
const groupsUnderWay = 2;
/** Files read and parsed ahead of the embedder, and the bytes they may have together. */
const filesAhead = 8;
const bytesAhead = 16 * 1024 * 1024;
/** Documents committed together at most: many may have no chunk, and a folder's new name moves many. */
const documentsTogether = 256;
/** Chunks of moved documents committed together: they cost no embedding. */
const movedChunksTogether = 4096;

export interface IndexFilesDependencies extends PreparationDependencies {
  readonly store: VectorStore;
  readonly embedder: Embedder;
  /** Told after each write. */
  readonly onCommit?: (commit: Commit) => void;
}

/**
 * Indexes the candidates of a plan and removes what is gone. Each group is committed on its own: whatever was
 * committed before a failure, a cancellation or a crash stays, and the next run does the rest.
 * @throws KbError KB_CANCELLED, KB_STORE_*, KB_EMBED_FAILED when the embedder fails on everything, and the KB_EMBED_*
 *   and KB_MODEL_* that every text would meet
 */
export async function indexFiles(
  dependencies: IndexFilesDependencies,
  plan: ScanPlan,
  force: boolean,
  report: RunReport,
  signal: AbortSignal,
): Promise<void> {
  const { store, embedder, onCommit = () => undefined } = dependencies;
  // A forced run is there to make every vector anew.
  const moved = matchMoves(store, force ? [] : plan.gone);
  const touched: Fingerprint[] = [];
  const committer = createGroupCommitter(store, plan, report, onCommit, signal);
  const embedding: Promise<EmbeddedGroup>[] = [];
  let group: PreparedDocument[] = [];
  let moves: Move[] = [];

  const startGroup = async (): Promise<void> => {
    if (group.length === 0) return;
    const started = embedDocuments(group, embedder, signal);
    // Awaited in its turn; until then a rejection must not count as unhandled.
    started.catch(() => undefined);
    embedding.push(started);
    group = [];
    if (embedding.length > groupsUnderWay) await finishGroup();
  };
  const finishGroup = async (): Promise<void> => {
    const oldest = embedding.shift();
    if (oldest !== undefined) await committer.commit(await oldest);
  };
  const finishMoves = async (): Promise<void> => {
    if (moves.length > 0) await committer.commitMoves(moves);
    moves = [];
  };

  try {
    for await (const prepared of prepareAll(dependencies, plan, force, report, signal)) {
      if (prepared === undefined) continue;
      if (prepared.kind === "touched") {
        touched.push(prepared.fingerprint);
        report.advance({ filesDone: report.progress.filesDone + 1 });
        continue;
      }
      for (const warning of prepared.warnings) report.warn(prepared.path, warning);
      const move = await moved.match(prepared);
      if (move === undefined) {
        group.push(prepared);
        if (group.length >= documentsTogether || chunkCount(group) >= groupChunks) await startGroup();
      } else {
        moves.push(move);
        const chunks = chunkCount(moves.map(({ write }) => write));
        if (moves.length >= documentsTogether || chunks >= movedChunksTogether) await finishMoves();
      }
    }
    await finishMoves();
    await startGroup();
    while (embedding.length > 0) await finishGroup();
    await committer.settled();
    refuseIfCancelled(signal);
    await updateFingerprints(store, touched);
    report.touched = touched.length;
    // Only now is it known what is gone for good and what has moved.
    const deletes = force ? plan.gone.map(({ path }) => path) : moved.notMoved();
    if (deletes.length > 0) await committer.commitDeletes(deletes);
  } finally {
    await committer.settled();
  }
  committer.failIfNothingWorked();
}

function chunkCount(documents: readonly { readonly chunks: readonly unknown[] }[]): number {
  return documents.reduce((sum, { chunks }) => sum + chunks.length, 0);
}

function prepareAll(
  dependencies: PreparationDependencies,
  plan: ScanPlan,
  force: boolean,
  report: RunReport,
  signal: AbortSignal,
): AsyncGenerator<PreparedDocument | TouchedDocument | undefined> {
  const prepare = async (file: WalkedFile): Promise<PreparedDocument | TouchedDocument | undefined> => {
    refuseIfCancelled(signal);
    try {
      return await prepareDocument(dependencies, file, force ? undefined : plan.known.get(file.path), signal);
    } catch (error) {
      refuseIfCancelled(signal);
      // Counting a document's tokens may be the first thing that the embedder is asked for.
      if (concernsEveryText(error)) throw error;
      report.skip(file.path, error);
      report.advance({ filesDone: report.progress.filesDone + 1 });
      return undefined;
    }
  };
  return prefetch(plan.candidates, prepare, {
    items: filesAhead,
    weight: bytesAhead,
    weightOf: ({ sizeBytes }) => sizeBytes,
  });
}
