// Puts the parts of the centre together behind the KnowledgeBase face. Policy lives in the parts; what a server needs
// only after it has answered `initialize` is imported when it is needed.
import type { LoadDependencies } from "./documents/load-document.js";
import { createResourceChanges } from "./documents/resource-changes.js";
import { createResources } from "./documents/resources.js";
import { isServable } from "./documents/servable-set.js";
import { endSoon } from "./end-soon.js";
import type { KnowledgeBase } from "./index.js";
import { readOverview } from "./indexing/index-overview.js";
import { createIndexRuns } from "./indexing/index-runs.js";
import { lazy, type Lazy } from "./lazy.js";
import { createPatientStore } from "./patient-store.js";
import type { Embedder, Logger, Reranker, VectorStore } from "./plugin-api.js";
import { createPatientEmbedder } from "./search/patient-embedder.js";
import { createPatientReranker } from "./search/patient-reranker.js";
import type { SearchDependencies, SearchOptions } from "./search/search.js";

/** What a knowledge base is made of; the composition root provides it. */
export interface KnowledgeBaseParts extends LoadDependencies {
  /** Where the lease of a writer and the overview are: of this process alone where the index is ephemeral. */
  readonly indexDirectory: string;
  /** Where the store keeps the index, if not in `indexDirectory`: a folder or a URI. For people. */
  readonly storeLocation?: string;
  /** Where the history of evaluations is kept; `indexDirectory` if absent. */
  readonly evalHistoryDirectory?: string;
  readonly excludeDirs: readonly string[];
  readonly excludeHeadings: readonly string[];
  /** `[best_practice].path_templates`, in the order in which they are tried. */
  readonly bestPracticeTemplates: readonly string[];
  readonly store: Lazy<VectorStore>;
  /** Of its plugin, for messages; "store" if absent. */
  readonly storeId?: string;
  /** Whether the store keeps nothing beyond this process; it is filled before it is asked. Default false. */
  readonly ephemeral?: boolean;
  readonly embedder: Lazy<Embedder>;
  readonly embedderId: string;
  readonly reranker?: Lazy<Reranker>;
  readonly searchOptions: SearchOptions;
  readonly logger: Logger;
}

/** Milliseconds that `status` waits for the embedder: it is asked to say what is there, not to make it. */
const statusPatienceMs = 2_000;

/** A knowledge base over its parts; closing it closes them. */
export function createKnowledgeBase(given: KnowledgeBaseParts): KnowledgeBase {
  const shutdown = new AbortController();
  const { signal: closing } = shutdown;
  const { logger, storeId: id = "store" } = given;
  const parts = { ...given, store: createPatientStore(given.store, { id, logger, closing }) };
  const {
    registry,
    indexDirectory,
    reranker,
    evalHistoryDirectory: historyDirectory = indexDirectory,
  } = parts;
  const store = (): Promise<VectorStore> => parts.store.get();
  const resources = createResources(store, parts);
  const embedder = createPatientEmbedder(parts.embedder, { closing });

  const hasIndex = async (): Promise<boolean> => (await (await store()).readMeta()) !== undefined;
  const changes = createResourceChanges(async () => ((await hasIndex()) ? resources.servable() : []), logger);

  const underWay = new Set<Promise<unknown>>();
  /** Runs a call that uses the parts, so that `close` does not pull them away under it. */
  const tracked = <Result>(
    outer: AbortSignal | undefined,
    run: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    const signal = outer === undefined ? closing : AbortSignal.any([outer, closing]);
    const result = run(signal);
    const settled: Promise<unknown> = result.catch(() => undefined).finally(() => underWay.delete(settled));
    underWay.add(settled);
    return result;
  };

  const runs = createIndexRuns({
    indexer: async () => {
      const { createIndexer } = await import("./indexing/indexer.js");
      return createIndexer({
        ...parts,
        onCommit: ({ put, deleted }) => changes.commit([...put, ...deleted]),
      });
    },
    ephemeral: parts.ephemeral === true,
    onBegin: () => changes.prepare(),
    onEnd(summary) {
      if (summary !== undefined && summary.embedded > 0) embedder.recover();
      void changes.flush();
    },
    untilClosed: (work) => tracked(undefined, work),
    logger,
  });
  /** The same for a call that asks the index. */
  const asking = <Result>(
    outer: AbortSignal | undefined,
    run: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> =>
    tracked(outer, async (signal) => {
      await runs.ready(signal);
      return run(signal);
    });

  const state = lazy(async () => {
    const { createIndexState } = await import("./indexing/index-state.js");
    return createIndexState({ ...parts, embedder: () => embedder.get(), runs });
  });
  const indexNotes = async (): Promise<string[]> => (await state.get()).notes();
  const vectorMismatch = async (): Promise<string | undefined> => (await state.get()).vectorMismatch();
  const searchDependencies: Omit<SearchDependencies, "options"> = {
    store,
    embedder: () => embedder.forQueries(),
    vectorMismatch,
    ...(reranker !== undefined && { reranker: createPatientReranker(reranker, { closing }) }),
    isServable: (document) => isServable(document, registry),
    notes: indexNotes,
    logger,
  };
  const search = lazy(async () => {
    const { createSearch } = await import("./search/search.js");
    return createSearch({ ...searchDependencies, options: parts.searchOptions });
  });

  return {
    search: (request, outer) => asking(outer, async (signal) => (await search.get())(request, signal)),
    evaluate: (request, outer) =>
      asking(outer, async (signal) => {
        const { evaluate } = await import("./eval/evaluate.js");
        const dependencies = { ...parts, store, embedder, historyDirectory, searchDependencies };
        return evaluate(dependencies, request, signal);
      }),
    getDocument: (request, outer) =>
      tracked(outer, async (signal) => {
        const { readDocument } = await import("./documents/read-document.js");
        return readDocument(parts, request, signal);
      }),
    bestPractice: (request, outer) =>
      tracked(outer, async (signal) => {
        const { readBestPractice } = await import("./documents/best-practice.js");
        const known = async () => {
          await runs.ready(signal);
          return (await hasIndex()) ? indexedPaths(await store()) : [];
        };
        return readBestPractice({ ...parts, indexedPaths: known }, request, signal);
      }),
    listTopics: () =>
      asking(undefined, async () => {
        const currentNotes = await indexNotes();
        if (!(await hasIndex())) return { documents: 0, categories: [], topics: [], notes: currentNotes };
        const { listTopics } = await import("./documents/list-topics.js");
        return { ...(await listTopics(await store(), registry)), notes: currentNotes };
      }),
    connectionGraph: (request, outer) =>
      asking(outer, async (signal) => {
        const { connectionGraph } = await import("./graph/connection-graph.js");
        const { isServable } = searchDependencies;
        const { qualityFilter } = parts.searchOptions;
        return connectionGraph(
          { store, isServable, notes: indexNotes, vectorMismatch, qualityFilter },
          request,
          signal,
        );
      }),
    listResources: () => asking(undefined, async () => ((await hasIndex()) ? resources.list() : [])),
    readResource: (uri, outer) => asking(outer, (signal) => resources.read(uri, signal)),
    canonicalUri: (uri) => asking(undefined, () => resources.canonicalUri(uri)),
    onResourceChange: (listener) => changes.listen(listener),
    recentDocuments: (since, limit) =>
      asking(undefined, async () => {
        if (!(await hasIndex())) return { documents: [], total: 0 };
        const { recentDocuments } = await import("./documents/recent-documents.js");
        return recentDocuments(await store(), since, limit);
      }),
    completePath: (prefix, limit) =>
      asking(undefined, async () =>
        (await hasIndex()) ? resources.complete(prefix, limit) : { paths: [], total: 0 },
      ),
    index: (options = {}) => tracked(options.signal, (signal) => runs.run(options, signal)),
    fill: ({ signal: outer, onProgress } = {}) => tracked(outer, (signal) => runs.ready(signal, onProgress)),
    indexing: () => runs.progress(),
    overview: async () => (runs.isFilled() ? readOverview(indexDirectory) : undefined),
    status: ({ paths = false } = {}) =>
      tracked(undefined, async (signal) => {
        if (paths) await runs.ready(signal);
        const { readStatus } = await import("./indexing/index-status.js");
        const status = await readStatus({
          ...parts,
          embedder: () => embedder.get(statusPatienceMs),
          isFilled: () => runs.isFilled(),
        });
        return paths
          ? { ...status, paths: (await hasIndex()) ? await indexedPaths(await store()) : [] }
          : status;
      }),
    async close() {
      shutdown.abort();
      const end = (what: string, ends: () => Promise<unknown>): Promise<void> => endSoon(what, ends, logger);
      await end("what is under way", async () => {
        await Promise.all(underWay);
        await changes.close();
      });
      await runs.abandon();
      await Promise.all([
        end("the parse process", () => parts.parser.dispose()),
        end("the reranker", async () => reranker?.dispose()),
        end("the embedder", () => parts.embedder.dispose()),
        end("the store", () => parts.store.dispose()),
      ]);
    },
  };
}

async function indexedPaths(store: VectorStore): Promise<string[]> {
  const paths: string[] = [];
  for await (const batch of store.documents(["path"])) for (const { path } of batch) paths.push(path);
  return paths.sort();
}
