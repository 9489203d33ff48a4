// One index run from lease to summary: what is indexed is decided by the walk, how by index-files.
import { loadExclusion } from "../documents/exclusion.js";
import { walk, type WalkedFile } from "../documents/walk.js";
import { topicCounts } from "../documents/topics.js";
import { isKbError, KbError } from "../errors.js";
import type { Lazy } from "../lazy.js";
import type { Embedder, Logger, VectorStore } from "../plugin-api.js";
import { refuseIfCancelled, unlessCancelled } from "./cancellation.js";
import { probeEmbedder } from "./embed-documents.js";
import type { Commit } from "./group-committer.js";
import {
  completeKey,
  identityDifferences,
  indexIdentity,
  readFittingMeta,
  type IndexIdentity,
} from "./index-identity.js";
import { indexFiles } from "./index-files.js";
import { readOverview, removeOverview, writeOverview, type IndexOverview } from "./index-overview.js";
import type { IndexOptions, IndexProgress, IndexSummary } from "./index-summary.js";
import type { PreparationDependencies } from "./prepare-document.js";
import { RunReport } from "./run-report.js";
import { knownDocuments, planScan, type Fingerprint } from "./scan.js";
import { acquireWriterLease, type WriterLease } from "./writer-lease.js";

export interface IndexerDependencies extends Omit<PreparationDependencies, "embedder"> {
  readonly indexDirectory: string;
  readonly excludeDirs: readonly string[];
  readonly store: Lazy<VectorStore>;
  readonly embedder: Lazy<Embedder>;
  readonly embedderId: string;
  readonly logger: Logger;
  /** Told after each write of a run. */
  readonly onCommit?: (commit: Commit) => void;
}

export interface Indexer {
  /**
   * @throws KbError KB_STORE_BUSY, KB_STORE_MISMATCH, KB_READ_NO_FILES, KB_CANCELLED, KB_EMBED_*, KB_MODEL_*,
   *   KB_STORE_*
   */
  run(options?: IndexOptions): Promise<IndexSummary>;
  /** Progress of the run under way in this process. */
  progress(): IndexProgress | undefined;
  /** Gives up the lease of a run that does not end, so that another process may write. It starts no other write. */
  abandon(): Promise<void>;
}

/** An indexer for one knowledge base and one index. */
export function createIndexer(dependencies: IndexerDependencies): Indexer {
  let current: RunReport | undefined;
  let held: WriterLease | undefined;
  return {
    progress: () => current && { ...current.progress },
    abandon: async () => held?.release(),
    async run({ force = false, signal: outer, onProgress } = {}) {
      const lease = await acquireWriterLease(dependencies.indexDirectory);
      held = lease;
      const signal = AbortSignal.any([lease.lost, ...(outer ? [outer] : [])]);
      const attempt = (from: "what is there" | "nothing"): Promise<IndexSummary> => {
        current = new RunReport(dependencies.logger, onProgress);
        return runOnce(dependencies, { force, from, signal }, current);
      };
      try {
        return await attempt("what is there").catch((error: unknown) => {
          if (!force || !isKbError(error) || error.code !== "KB_STORE_CORRUPT") throw error;
          dependencies.logger.warn(`${error.message}; it is built anew`);
          return attempt("nothing");
        });
      } catch (error) {
        if (!lease.lost.aborted) throw error;
        throw new KbError(
          "KB_STORE_BUSY",
          "Another kb-mcp process took over the index while this one stood still; what was done so far is kept",
          { cause: error },
        );
      } finally {
        current = undefined;
        held = undefined;
        await lease.release();
      }
    },
  };
}

interface RunOptions {
  readonly force: boolean;
  /** Whether to go on with an index that fits. */
  readonly from: "what is there" | "nothing";
  readonly signal: AbortSignal;
}

async function runOnce(
  dependencies: IndexerDependencies,
  { force, from, signal }: RunOptions,
  report: RunReport,
): Promise<IndexSummary> {
  report.advance({ phase: "scan" });
  // Nothing can stop a plugin that is being made; a run that is cancelled does not wait for it.
  const making = Promise.all([dependencies.store.get(), dependencies.embedder.get()]);
  const [store, embedder] = await unlessCancelled(making, signal);
  const identity = indexIdentity(dependencies.embedderId, embedder, dependencies.excludeHeadings);
  const collecting = collectFiles(dependencies, report, signal);
  const looking = from === "nothing" ? Promise.resolve(undefined) : existingIndex(store, identity, force);
  // If one fails the other must still end before the run does: the store may be closed after it.
  await Promise.allSettled([collecting, looking]);
  const [{ files, unseen }, existing] = await Promise.all([collecting, looking]);
  const known = existing?.known ?? new Map<string, Fingerprint>();
  refuseSuddenEmptiness(files.length, known.size, force);
  if (existing === undefined) {
    // What is there still answers: it is not given up for an index that cannot be made.
    if (force) await probeEmbedder(embedder, signal);
    refuseIfCancelled(signal);
    await startIndex(dependencies, store, embedder, identity);
  }
  const plan = planScan(files, known, dependencies.registry, unseen, force);
  report.unchanged = plan.unchanged;
  report.advance({ phase: "index", filesTotal: plan.candidates.length });

  const parts = { ...dependencies, store, embedder };
  await indexFiles(parts, plan, force, report, signal);

  const overview = await readOverview(dependencies.indexDirectory);
  if (!report.wrote && existing?.complete === true && overview !== undefined) return report.summary(overview);
  report.advance({ phase: "finish" });
  await store.maintain(signal);
  refuseIfCancelled(signal);
  await store.writeMeta({ [completeKey]: "yes", ...parsersEntry(dependencies) });
  return conclude(store, embedder, identity, dependencies, report);
}

/** What is on disk to be indexed, and the places that could not be looked at. */
async function collectFiles(
  { root, registry, excludeDirs }: IndexerDependencies,
  report: RunReport,
  signal: AbortSignal,
): Promise<{ files: WalkedFile[]; unseen: string[] }> {
  const { exclusion, warnings } = await loadExclusion({ root, excludeDirs });
  for (const warning of warnings) report.warn(".kb-mcpignore", warning);
  const files: WalkedFile[] = [];
  const unseen: string[] = [];
  for await (const batch of walk({ root, exclusion, extensions: registry.extensions, signal })) {
    files.push(...batch.files);
    for (const warning of batch.warnings) {
      report.warn(warning.path, warning.reason);
      if (warning.unseen) unseen.push(warning.path);
    }
  }
  return { files, unseen };
}

interface ExistingIndex {
  readonly known: ReadonlyMap<string, Fingerprint>;
  /** Whether an earlier run had completed. */
  readonly complete: boolean;
}

/**
 * The index as an earlier run left it; undefined if there is none to go on with. A forced run goes on with an
 * index that fits, so that searches go on meanwhile, and starts an empty one otherwise.
 */
async function existingIndex(
  store: VectorStore,
  identity: IndexIdentity,
  force: boolean,
): Promise<ExistingIndex | undefined> {
  const meta = force ? await readableMeta(store) : await fittingMeta(store, identity);
  if (meta === undefined || identityDifferences(meta, identity).goodFor !== undefined) return undefined;
  return { known: await knownDocuments(store), complete: meta[completeKey] === "yes" };
}

/** An index that holds nothing, left by a run that failed at once, gives way to any other. */
async function fittingMeta(store: VectorStore, identity: IndexIdentity): ReturnType<typeof readFittingMeta> {
  try {
    return await readFittingMeta(store, identity);
  } catch (error) {
    const isOther = isKbError(error) && error.code === "KB_STORE_MISMATCH";
    if (isOther && (await store.counts()).documents === 0) return undefined;
    throw error;
  }
}

async function startIndex(
  dependencies: IndexerDependencies,
  store: VectorStore,
  embedder: Embedder,
  identity: IndexIdentity,
): Promise<void> {
  await removeOverview(dependencies.indexDirectory);
  await store.reset({
    dimensions: embedder.dimensions,
    meta: { ...identity, ...parsersEntry(dependencies), [completeKey]: "no" },
  });
}

/** For people who look: which parser read a document is stored, and compared, with the document. */
function parsersEntry({ registry }: IndexerDependencies): Record<string, string> {
  return {
    parsers: registry.entries
      .map(({ label }) => label)
      .sort()
      .join(" "),
  };
}

/** For a forced run a damaged index is no error: it is as good as none. */
async function readableMeta(store: VectorStore): Promise<Readonly<Record<string, string>> | undefined> {
  try {
    await store.counts();
    return await store.readMeta();
  } catch {
    return undefined;
  }
}

/** An unmounted drive looks like an empty folder: an index is never emptied on that evidence alone. */
function refuseSuddenEmptiness(files: number, known: number, force: boolean): void {
  if (files === 0 && known > 0 && !force)
    throw new KbError(
      "KB_READ_NO_FILES",
      `The knowledge base holds no file to index, but its index holds ${known} documents; nothing was changed`,
    );
}

async function conclude(
  store: VectorStore,
  embedder: Embedder,
  identity: IndexIdentity,
  { embedderId, indexDirectory }: IndexerDependencies,
  report: RunReport,
): Promise<IndexSummary> {
  const { documents, chunks, vectors } = await store.counts();
  const overview: IndexOverview = {
    documents,
    chunks,
    declined_by_embedder: chunks - vectors,
    topics: await topicCounts(store),
    indexed_at: new Date().toISOString(),
    embedder: embedderId,
    model: embedder.model,
    built_with: identity,
  };
  await writeOverview(indexDirectory, overview);
  return report.summary(overview);
}
