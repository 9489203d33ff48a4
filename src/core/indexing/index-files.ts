// The middle of a run: changed files flow through preparation, embedding and storing, each step working on the
// next group while the one after it works on the last.
import { KbError } from "../errors.js";
import type { DocumentWrite, Embedder, VectorStore } from "../plugin-api.js";
import type { WalkedFile } from "../documents/walk.js";
import { embedDocuments, withVectors, type EmbeddedGroup } from "./embed-documents.js";
import { createGroupCommitter } from "./group-committer.js";
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
/** Files read and parsed ahead of the embedder. */
const filesAhead = 8;
export interface IndexFilesDependencies extends PreparationDependencies {
  readonly store: VectorStore;
  readonly embedder: Embedder;
}

/**
 * Indexes the candidates of a plan and removes what is gone. Each group is committed on its own: whatever was
 * committed before a failure, a cancellation or a crash stays, and the next run does the rest.
 * @throws KbError KB_CANCELLED, KB_STORE_*, KB_EMBED_FAILED when the embedder fails on everything
 */
export async function indexFiles(
  dependencies: IndexFilesDependencies,
  plan: ScanPlan,
  force: boolean,
  report: RunReport,
  signal: AbortSignal,
): Promise<void> {
  const { store, embedder } = dependencies;
  const goneByHash = new Map(plan.gone.map((gone) => [gone.contentHash, gone]));
  const deletes = new Set(plan.gone.map(({ path }) => path));
  const touched: Fingerprint[] = [];
  const committer = createGroupCommitter(store, plan, report);
  const embedding: Promise<EmbeddedGroup>[] = [];
  let group: PreparedDocument[] = [];

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

  try {
    for await (const prepared of prepareAll(dependencies, plan, force, report, signal)) {
      if (prepared === undefined) continue;
      if (prepared.kind === "touched") {
        touched.push(prepared.fingerprint);
        report.advance({ filesDone: report.progress.filesDone + 1 });
        continue;
      }
      for (const warning of prepared.warnings) report.warn(prepared.path, warning);
      const before = plan.known.has(prepared.path)
        ? undefined
        : goneByHash.get(prepared.document.contentHash);
      const moved = before && (await movedDocument(store, prepared, before));
      if (before !== undefined && moved !== undefined) {
        goneByHash.delete(before.contentHash);
        deletes.delete(before.path);
        await committer.commitMove(moved, before.path);
        continue;
      }
      group.push(prepared);
      if (group.reduce((sum, { chunks }) => sum + chunks.length, 0) >= groupChunks) await startGroup();
    }
    await startGroup();
    while (embedding.length > 0) await finishGroup();
  } finally {
    await committer.settled();
  }
  committer.failIfNothingWorked();
  await updateFingerprints(store, touched);
  report.unchanged += touched.length;
  if (deletes.size > 0) await store.write({ delete: [...deletes] });
  report.deleted += deletes.size;
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
      report.skip(file.path, error);
      report.advance({ filesDone: report.progress.filesDone + 1 });
      return undefined;
    }
  };
  return prefetch(plan.candidates, filesAhead, prepare);
}

function refuseIfCancelled(signal: AbortSignal): void {
  if (signal.aborted)
    throw new KbError("KB_CANCELLED", "Indexing was cancelled; what was done so far is kept");
}

/** A new path with the bytes of one that is gone keeps its vectors. */
async function movedDocument(
  store: VectorStore,
  prepared: PreparedDocument,
  before: Fingerprint,
): Promise<DocumentWrite | undefined> {
  if (before.parser !== prepared.document.parser) return undefined;
  const chunks = await store.documentChunks(before.path);
  if (chunks.length !== prepared.chunks.length) return undefined;
  return withVectors(
    prepared,
    chunks.map(({ vector }) => vector),
  );
}
