// Puts the parts of the centre together behind the KnowledgeBase face. Policy lives in the parts; what a server needs
// only after it has answered `initialize` is imported when it is needed.
import type { LoadDependencies } from "./documents/load-document.js";
import { createResourceChanges } from "./documents/resource-changes.js";
import { createResources } from "./documents/resources.js";
import { isServable } from "./documents/servable-set.js";
import type { KnowledgeBase, StatusReply } from "./index.js";
import { noProgress } from "./indexing/index-summary.js";
import { readOverview } from "./indexing/index-overview.js";
import type { Indexer } from "./indexing/indexer.js";
import { writerLeaseHolder } from "./indexing/writer-lease.js";
import { lazy, type Lazy } from "./lazy.js";
import type { Embedder, Logger, Reranker, VectorStore } from "./plugin-api.js";
import type { SearchDependencies, SearchOptions } from "./search/search.js";

/** What a knowledge base is made of; the composition root provides it. */
export interface KnowledgeBaseParts extends LoadDependencies {
  readonly indexDirectory: string;
  readonly excludeDirs: readonly string[];
  readonly excludeHeadings: readonly string[];
  /** `[best_practice].path_templates`, in the order in which they are tried. */
  readonly bestPracticeTemplates: readonly string[];
  readonly store: Lazy<VectorStore>;
  readonly embedder: Lazy<Embedder>;
  readonly embedderId: string;
  readonly reranker?: Lazy<Reranker>;
  readonly searchOptions: SearchOptions;
  readonly logger: Logger;
}

/** A knowledge base over its parts; closing it closes them. */
export function createKnowledgeBase(parts: KnowledgeBaseParts): KnowledgeBase {
  const { root, registry, indexDirectory, reranker } = parts;
  const store = (): Promise<VectorStore> => parts.store.get();
  const shutdown = new AbortController();
  const resources = createResources(store, parts);

  const hasIndex = async (): Promise<boolean> => (await (await store()).readMeta()) !== undefined;
  const changes = createResourceChanges(
    async () => ((await hasIndex()) ? resources.servable() : []),
    parts.logger,
  );

  let startedIndexer: Indexer | undefined;
  const indexer = lazy(async () => {
    const { createIndexer } = await import("./indexing/indexer.js");
    return (startedIndexer = createIndexer({
      ...parts,
      onCommit: ({ put, deleted }) => changes.commit([...put, ...deleted]),
    }));
  });
  let waitingRuns = 0;
  const progress = () => startedIndexer?.progress() ?? (waitingRuns > 0 ? noProgress : undefined);
  const notes = lazy(async () => {
    const { createIndexNotes } = await import("./indexing/index-state.js");
    return createIndexNotes(parts, progress);
  });
  const indexNotes = async (): Promise<string[]> => (await notes.get())();
  const searchDependencies: Omit<SearchDependencies, "options"> = {
    store,
    embedder: () => parts.embedder.get(),
    ...(reranker !== undefined && { reranker: () => reranker.get() }),
    isServable: (document) => isServable(document, registry),
    notes: indexNotes,
    logger: parts.logger,
  };
  const search = lazy(async () => {
    const { createSearch } = await import("./search/search.js");
    return createSearch({ ...searchDependencies, options: parts.searchOptions });
  });

  const underWay = new Set<Promise<unknown>>();
  /** Runs a call that uses the parts, so that `close` does not pull them away under it. */
  const tracked = <Result>(
    outer: AbortSignal | undefined,
    run: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    const signal = outer === undefined ? shutdown.signal : AbortSignal.any([outer, shutdown.signal]);
    const result = run(signal);
    const settled: Promise<unknown> = result.catch(() => undefined).finally(() => underWay.delete(settled));
    underWay.add(settled);
    return result;
  };

  return {
    search: (request, outer) => tracked(outer, async (signal) => (await search.get())(request, signal)),
    evaluate: (request, outer) =>
      tracked(outer, async (signal) => {
        const { evaluate } = await import("./eval/evaluate.js");
        return evaluate({ ...parts, store, searchDependencies }, request, signal);
      }),
    getDocument: (request, outer) =>
      tracked(outer, async (signal) => {
        const { readDocument } = await import("./documents/read-document.js");
        return readDocument(parts, request, signal);
      }),
    bestPractice: (request, outer) =>
      tracked(outer, async (signal) => {
        const { readBestPractice } = await import("./documents/best-practice.js");
        const known = async () => ((await hasIndex()) ? indexedPaths(await store()) : []);
        return readBestPractice({ ...parts, indexedPaths: known }, request, signal);
      }),
    listTopics: () =>
      tracked(undefined, async () => {
        const currentNotes = await indexNotes();
        if (!(await hasIndex())) return { documents: 0, categories: [], topics: [], notes: currentNotes };
        const { listTopics } = await import("./documents/list-topics.js");
        return { ...(await listTopics(await store(), registry)), notes: currentNotes };
      }),
    connectionGraph: (request, outer) =>
      tracked(outer, async (signal) => {
        const { connectionGraph } = await import("./graph/connection-graph.js");
        const { isServable } = searchDependencies;
        const { qualityFilter } = parts.searchOptions;
        return connectionGraph({ store, isServable, notes: indexNotes, qualityFilter }, request, signal);
      }),
    listResources: () => tracked(undefined, async () => ((await hasIndex()) ? resources.list() : [])),
    readResource: (uri, outer) => tracked(outer, (signal) => resources.read(uri, signal)),
    canonicalUri: (uri) => tracked(undefined, () => resources.canonicalUri(uri)),
    onResourceChange: (listener) => changes.listen(listener),
    recentDocuments: (since, limit) =>
      tracked(undefined, async () => {
        if (!(await hasIndex())) return { documents: [], total: 0 };
        const { recentDocuments } = await import("./documents/recent-documents.js");
        return recentDocuments(await store(), since, limit);
      }),
    completePath: (prefix, limit) =>
      tracked(undefined, async () =>
        (await hasIndex()) ? resources.complete(prefix, limit) : { paths: [], total: 0 },
      ),
    index: (options = {}) =>
      tracked(options.signal, async (signal) => {
        waitingRuns++;
        try {
          await options.after;
          await changes.prepare();
          return await (await indexer.get()).run({ ...options, signal });
        } finally {
          waitingRuns--;
          void changes.flush();
        }
      }),
    indexing: progress,
    overview: () => readOverview(indexDirectory),
    status: ({ paths = false } = {}) =>
      tracked(undefined, async (): Promise<StatusReply> => {
        const overview = await readOverview(indexDirectory);
        const holder = await writerLeaseHolder(indexDirectory);
        return {
          kb_path: root.path,
          index_directory: indexDirectory,
          indexed: overview !== undefined,
          ...(overview !== undefined && { overview }),
          ...(holder !== undefined && {
            writer: {
              pid: holder.pid,
              host: holder.host,
              running_seconds: Math.max(0, Math.round((Date.now() - holder.startedAt) / 1000)),
            },
          }),
          ...(paths && { paths: (await hasIndex()) ? await indexedPaths(await store()) : [] }),
        };
      }),
    async close() {
      shutdown.abort();
      await Promise.all(underWay);
      await changes.close();
      await parts.parser.dispose();
      await reranker?.dispose();
      await parts.embedder.dispose();
      await parts.store.dispose();
    },
  };
}

async function indexedPaths(store: VectorStore): Promise<string[]> {
  const paths: string[] = [];
  for await (const batch of store.documents(["path"])) for (const { path } of batch) paths.push(path);
  return paths.sort();
}
