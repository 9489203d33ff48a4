// One index run from lease to summary: what is indexed is decided by the walk, how by index-files.
import { loadExclusion } from "../documents/exclusion.js";
import { walk, type WalkedFile, type WalkWarning } from "../documents/walk.js";
import { KbError } from "../errors.js";
import type { Lazy } from "../lazy.js";
import type { Embedder, Logger, VectorStore } from "../plugin-api.js";
import { topicCounts } from "../documents/topics.js";
import { completeKey, identityDifferences, indexIdentity, readFittingMeta } from "./index-identity.js";
import { indexFiles } from "./index-files.js";
import { removeOverview, writeOverview } from "./index-overview.js";
import type { IndexOptions, IndexProgress, IndexSummary } from "./index-summary.js";
import type { PreparationDependencies } from "./prepare-document.js";
import { RunReport } from "./run-report.js";
import { knownDocuments, planScan } from "./scan.js";
import { acquireWriterLease } from "./writer-lease.js";

export interface IndexerDependencies extends Omit<PreparationDependencies, "chunkTokens"> {
  readonly indexDirectory: string;
  readonly excludeDirs: readonly string[];
  readonly store: Lazy<VectorStore>;
  readonly embedder: Lazy<Embedder>;
  readonly embedderId: string;
  readonly logger: Logger;
}

export interface Indexer {
  /** @throws KbError KB_STORE_BUSY, KB_STORE_MISMATCH, KB_READ_NO_FILES, KB_CANCELLED, KB_EMBED_FAILED, KB_STORE_* */
  run(options?: IndexOptions): Promise<IndexSummary>;
  /** Progress of the run under way in this process. */
  progress(): IndexProgress | undefined;
}

/** An indexer for one knowledge base and one index. */
export function createIndexer(dependencies: IndexerDependencies): Indexer {
  let current: RunReport | undefined;
  return {
    progress: () => current && { ...current.progress },
    async run(options = {}) {
      const lease = await acquireWriterLease(dependencies.indexDirectory);
      try {
        current = new RunReport(dependencies.logger, options.onProgress);
        return await runOnce(dependencies, options, current);
      } finally {
        current = undefined;
        await lease.release();
      }
    },
  };
}

async function runOnce(
  dependencies: IndexerDependencies,
  { force = false, signal = new AbortController().signal }: IndexOptions,
  report: RunReport,
): Promise<IndexSummary> {
  const { root, registry, indexDirectory } = dependencies;
  report.advance({ phase: "scan" });
  const { exclusion, warnings } = await loadExclusion({
    root,
    excludeDirs: dependencies.excludeDirs,
  });
  for (const warning of warnings) report.warn(".kb-mcpignore", warning);
  const files: WalkedFile[] = [];
  const walkWarnings: WalkWarning[] = [];
  for await (const batch of walk({ root, exclusion, extensions: registry.extensions, signal })) {
    files.push(...batch.files);
    walkWarnings.push(...batch.warnings);
  }
  for (const { path, reason } of walkWarnings) report.warn(path, reason);

  const store = await dependencies.store.get();
  const embedder = await dependencies.embedder.get();
  const wasComplete = await openIndex(dependencies, store, embedder, force);
  const known = await knownDocuments(store);
  refuseSuddenEmptiness(files.length, known.size, force);
  const unseen = walkWarnings.filter((warning) => warning.unseen).map(({ path }) => path);
  const plan = planScan(files, known, registry, unseen, force);
  report.unchanged = plan.unchanged;
  report.advance({ phase: "index", filesTotal: plan.candidates.length });

  await indexFiles(
    { ...dependencies, chunkTokens: embedder.chunkTokens, store, embedder },
    plan,
    force,
    report,
    signal,
  );

  const changed = plan.candidates.length > 0 || plan.gone.length > 0 || !wasComplete;
  if (changed) {
    report.advance({ phase: "finish" });
    await store.maintain(signal);
    await store.writeMeta({ [completeKey]: "yes" });
  }
  return conclude(store, embedder, dependencies.embedderId, indexDirectory, report);
}

/**
 * Makes the store ready for this configuration; returns whether an earlier run had completed. `force` starts
 * an empty index only where the old one cannot be kept, so that searches go on meanwhile if they can.
 */
async function openIndex(
  { embedderId, excludeHeadings, indexDirectory }: IndexerDependencies,
  store: VectorStore,
  embedder: Embedder,
  force: boolean,
): Promise<boolean> {
  const identity = indexIdentity(embedderId, embedder, excludeHeadings);
  const meta = force ? await readableMeta(store) : await readFittingMeta(store, identity);
  if (meta !== undefined && identityDifferences(meta, identity).length === 0)
    return meta[completeKey] === "yes";
  await removeOverview(indexDirectory);
  await store.reset({ dimensions: embedder.dimensions, meta: { ...identity, [completeKey]: "no" } });
  return false;
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
  embedderId: string,
  indexDirectory: string,
  report: RunReport,
): Promise<IndexSummary> {
  const { documents, chunks, vectors } = await store.counts();
  const declined_by_embedder = chunks - vectors;
  await writeOverview(indexDirectory, {
    documents,
    chunks,
    declined_by_embedder,
    topics: await topicCounts(store),
    indexed_at: new Date().toISOString(),
    embedder: embedderId,
    model: embedder.model,
  });
  return report.summary({ documents, chunks, declined_by_embedder });
}
