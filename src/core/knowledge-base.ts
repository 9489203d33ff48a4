// Puts the parts of the centre together behind the KnowledgeBase face. Policy lives in the parts.
import { createResources } from "./documents/resources.js";
import { readDocument } from "./documents/read-document.js";
import { servableDocuments } from "./documents/servable-set.js";
import { topicGroups } from "./documents/topics.js";
import { topicUri } from "./documents/document-uri.js";
import type { LoadDependencies } from "./documents/load-document.js";
import { KbError } from "./errors.js";
import type { KnowledgeBase, SearchReply, StatusReply, TopicsReply } from "./index.js";
import { completeKey, indexIdentity, readFittingMeta } from "./indexing/index-identity.js";
import { createIndexer } from "./indexing/indexer.js";
import { readOverview } from "./indexing/index-overview.js";
import { writerLeaseHolder } from "./indexing/writer-lease.js";
import { lazy, type Lazy } from "./lazy.js";
import type { Embedder, Logger, Reranker, VectorStore } from "./plugin-api.js";
import type { SearchOptions } from "./search/search.js";

/** What a knowledge base is made of; the composition root provides it. */
export interface KnowledgeBaseParts extends LoadDependencies {
  readonly indexDirectory: string;
  readonly excludeDirs: readonly string[];
  readonly excludeHeadings: readonly string[];
  readonly store: Lazy<VectorStore>;
  readonly embedder: Lazy<Embedder>;
  readonly embedderId: string;
  readonly reranker?: Lazy<Reranker>;
  readonly searchOptions: SearchOptions;
  readonly logger: Logger;
}

/** A knowledge base over its parts; closing it closes them. */
export function createKnowledgeBase(parts: KnowledgeBaseParts): KnowledgeBase {
  const { root, registry, indexDirectory } = parts;
  const store = (): Promise<VectorStore> => parts.store.get();
  const indexer = createIndexer(parts);
  const resources = createResources(store, parts);
  const shutdown = new AbortController();
  const underWay = new Set<Promise<unknown>>();

  let checked: { version: string; complete: boolean } | undefined;
  /** Whether there is an index to search: "building" while a first run fills it. @throws KbError KB_STORE_* */
  const indexState = async (): Promise<"complete" | "partial" | "none"> => {
    const opened = await store();
    const version = await opened.version();
    if (checked?.version !== version) {
      const identity = indexIdentity(parts.embedderId, await parts.embedder.get(), parts.excludeHeadings);
      const meta = await readFittingMeta(opened, identity);
      if (meta === undefined) return "none";
      checked = { version, complete: meta[completeKey] === "yes" };
    }
    return checked.complete ? "complete" : "partial";
  };
  const indexingNotes = async (): Promise<string[]> => {
    const progress = indexer.progress();
    if (progress !== undefined)
      return [
        progress.phase === "scan"
          ? "Indexing has just started: results may be incomplete."
          : `Indexing is under way (${progress.filesDone} of ${progress.filesTotal} changed files done): results may be incomplete.`,
      ];
    const state = await indexState();
    if (state === "complete") return [];
    const holder = await writerLeaseHolder(indexDirectory);
    if (holder !== undefined)
      return [`Another kb-mcp process (pid ${holder.pid}) is building the index: results may be incomplete.`];
    if (state === "none") throw new KbError("KB_STORE_EMPTY", "This knowledge base has not been indexed yet");
    return ["The first index run did not finish, so results may be incomplete; run kb-mcp index."];
  };

  const search = lazy(async () => {
    const { createSearch } = await import("./search/search.js");
    return createSearch({
      store,
      embedder: () => parts.embedder.get(),
      ...(parts.reranker !== undefined && { reranker: () => (parts.reranker as Lazy<Reranker>).get() }),
      isServable: resources.isServable,
      options: parts.searchOptions,
      notes: indexingNotes,
    });
  });

  return {
    async search(request, signal = shutdown.signal): Promise<SearchReply> {
      const run = await search.get();
      return run(request, signal);
    },
    getDocument: (request, signal = shutdown.signal) =>
      readDocument(parts, request, parts.searchOptions.maxReplyTokens, signal),
    async listTopics(): Promise<TopicsReply> {
      const notes = await indexingNotes();
      return { ...(await topicsReply(await store(), parts)), notes };
    },
    listResources: async () => ((await hasIndex(parts.store)) ? resources.list() : []),
    readResource: (uri, signal = shutdown.signal) => resources.read(uri, signal),
    completePath: async (prefix, limit) =>
      (await hasIndex(parts.store)) ? resources.complete(prefix, limit) : { paths: [], total: 0 },
    async index(options = {}) {
      const signal =
        options.signal === undefined ? shutdown.signal : AbortSignal.any([options.signal, shutdown.signal]);
      const run = indexer.run({ ...options, signal });
      const settled = run.catch(() => undefined).finally(() => underWay.delete(settled));
      underWay.add(settled);
      return run;
    },
    indexing: () => indexer.progress(),
    overview: () => readOverview(indexDirectory),
    async status({ paths = false } = {}): Promise<StatusReply> {
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
        ...(paths && { paths: await indexedPaths(parts.store) }),
      };
    },
    async close() {
      shutdown.abort();
      await Promise.all(underWay);
      await parts.parser.dispose();
      await parts.reranker?.dispose();
      await parts.embedder.dispose();
      await parts.store.dispose();
    },
  };
}

async function hasIndex(store: Lazy<VectorStore>): Promise<boolean> {
  return (await (await store.get()).readMeta()) !== undefined;
}

async function indexedPaths(store: Lazy<VectorStore>): Promise<string[]> {
  const opened = await store.get();
  if ((await opened.readMeta()) === undefined) return [];
  const paths: string[] = [];
  for await (const batch of opened.documents(["path"])) paths.push(...batch.map(({ path }) => path));
  return paths.sort();
}

async function topicsReply(
  store: VectorStore,
  { registry }: LoadDependencies,
): Promise<Omit<TopicsReply, "notes">> {
  const documents: { topic: string; category?: string }[] = [];
  if ((await store.readMeta()) !== undefined)
    for await (const batch of store.documents(["topic", "category"])) documents.push(...batch);
  const served = new Set(topicGroups(await servableDocuments(store, registry)).map(({ topic }) => topic));
  const categories = new Map<string, number>();
  for (const { category } of documents)
    if (category !== undefined) categories.set(category, (categories.get(category) ?? 0) + 1);
  return {
    documents: documents.length,
    categories: [...categories]
      .map(([category, count]) => ({ category, documents: count }))
      .sort((a, b) => (a.category < b.category ? -1 : 1)),
    topics: topicGroups(documents).map((group) => ({
      ...group,
      ...(served.has(group.topic) && { uri: topicUri(group.topic) }),
    })),
  };
}
