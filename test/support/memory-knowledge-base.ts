// A small knowledge base in memory: finds passages by the words they share with the query. Honest about the
// contract of KnowledgeBase, so that the MCP surface can be tested without an index.
/* eslint-disable @typescript-eslint/require-await -- the contract is asynchronous, memory is not */
import { KbError } from "../../src/core/errors.js";
import type {
  IndexOptions,
  IndexSummary,
  KnowledgeBase,
  ResourceChange,
  SearchHit,
  SearchReply,
  SearchRequest,
  TopicResource,
} from "../../src/core/index.js";

export interface MemoryKnowledgeBase extends KnowledgeBase {
  /** Every request that search was given. */
  readonly searches: SearchRequest[];
  /** Every set of options that index was given. */
  readonly indexRuns: IndexOptions[];
  /** Tells every session of a change. */
  readonly changed: (change: ResourceChange) => void;
  /** Who is told of changes. */
  readonly listeners: ReadonlySet<unknown>;
}

const summary: IndexSummary = {
  added: 0,
  updated: 0,
  unchanged: 0,
  renamed: 0,
  deleted: 0,
  skipped: [],
  warnings: [],
  documents: 0,
  chunks: 0,
  declined_by_embedder: 0,
  embedded: 0,
  seconds: 0.1,
};

/**
 * @param files text by path
 * @param replace methods that a test answers itself
 */
export function memoryKnowledgeBase(
  files: Readonly<Record<string, string>>,
  replace: Partial<KnowledgeBase> = {},
): MemoryKnowledgeBase {
  const paths = Object.keys(files).sort();
  const searches: SearchRequest[] = [];
  const indexRuns: IndexOptions[] = [];
  const listeners = new Set<(change: ResourceChange) => void>();

  const topics = (): TopicResource[] => {
    const counts = new Map<string, number>();
    for (const path of paths) counts.set(topicOf(path), (counts.get(topicOf(path)) ?? 0) + 1);
    return [...counts].map(([topic, documents]) => ({
      topic,
      documents,
      uri: `kb://topic/${encode(topic)}`,
    }));
  };

  const kb: KnowledgeBase = {
    async search(request) {
      searches.push(request);
      const words = request.query.toLowerCase().split(/\s+/u).filter(Boolean);
      if (words.length === 0) throw new KbError("KB_SEARCH_QUERY", "The query holds no word");
      const results = paths
        .filter((path) => request.topic === undefined || topicOf(path) === request.topic)
        .map((path) => hit(path, files[path]!, words))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
        .slice(0, request.limit ?? 5);
      const confidence = results.length > 0 ? 0.9 : 0;
      return {
        results,
        confidence,
        low_confidence: confidence < (request.min_confidence ?? 0.5),
        filter_applied: request.topic === undefined ? {} : { topic: request.topic },
        mode: "lexical",
        notes: [],
      } satisfies SearchReply;
    },
    evaluate() {
      return Promise.reject(new KbError("KB_INTERNAL", "There is nothing to evaluate"));
    },
    async getDocument({ path, start_line, end_line }) {
      const text = files[path];
      if (text === undefined) throw new KbError("KB_READ_NOT_FOUND", `There is no document "${path}"`);
      const lines = text.split("\n");
      const asked = start_line !== undefined || end_line !== undefined;
      const first = start_line ?? 1;
      const last = Math.min(end_line ?? lines.length, lines.length);
      return {
        path,
        title: path,
        media_type: "text/markdown",
        size_bytes: Buffer.byteLength(text),
        total_lines: lines.length,
        ...(asked && { start_line: first, end_line: last }),
        truncated: false,
        metadata: {},
        text: lines.slice(first - 1, last).join("\n"),
        notes: [],
      };
    },
    async listTopics() {
      return { documents: paths.length, categories: [], topics: topics(), notes: [] };
    },
    connectionGraph({ start }) {
      return Promise.reject(new KbError("KB_GRAPH_START", `"${start}" is not in the index`));
    },
    async listResources() {
      return topics();
    },
    async readResource(uri) {
      if (!uri.startsWith("kb://")) throw new KbError("KB_READ_URI", `"${uri}" is no kb:// URI`);
      const path = decodeURIComponent(uri.replace("kb://doc/", ""));
      const text = files[path];
      if (text === undefined) throw new KbError("KB_READ_NOT_SERVABLE", `"${path}" is not offered`);
      return { uri, mimeType: "text/markdown", text };
    },
    async canonicalUri(uri) {
      await kb.readResource(uri);
      return uri;
    },
    onResourceChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async recentDocuments(since, limit) {
      const documents = paths.map((path) => ({ path, title: path, changed: since }));
      return { documents: documents.slice(0, limit), total: documents.length };
    },
    async bestPractice({ target }) {
      throw new KbError("KB_PRACTICE_NOT_FOUND", `There is no best practice for "${target}"`);
    },
    async completePath(prefix, limit) {
      const found = paths.filter((path) => path.startsWith(prefix));
      return { paths: found.slice(0, limit), total: found.length };
    },
    async index(options = {}) {
      indexRuns.push(options);
      for (const phase of ["scan", "index", "finish"] as const)
        options.onProgress?.({
          phase,
          filesDone: paths.length,
          filesTotal: paths.length,
          chunksDone: 0,
          elapsedMs: 1,
        });
      return { ...summary, added: paths.length, documents: paths.length, chunks: paths.length };
    },
    async fill() {
      // It always is.
    },
    indexing: () => undefined,
    async overview() {
      return {
        documents: paths.length,
        chunks: paths.length,
        declined_by_embedder: 0,
        topics: topics().map(({ topic, documents }) => ({ topic, documents })),
        indexed_at: "2026-01-31T00:00:00.000Z",
        embedder: "none",
        model: "none",
      };
    },
    async status() {
      return { kb_path: "/kb", index_directory: "/index", indexed: true };
    },
    async close() {
      // Nothing is open.
    },
  };
  const changed = (change: ResourceChange): void => listeners.forEach((listener) => listener(change));
  return Object.assign(kb, replace, { searches, indexRuns, changed, listeners });
}

function hit(path: string, content: string, words: readonly string[]): SearchHit {
  const text = content.toLowerCase();
  const spans = words
    .filter((word) => text.includes(word))
    .map((word): [number, number] => [text.indexOf(word), text.indexOf(word) + word.length]);
  return {
    score: spans.length,
    path,
    uri: `kb://doc/${encode(path)}`,
    title: path,
    heading_path: [],
    topic: topicOf(path),
    tags: [],
    content,
    start_line: 1,
    end_line: content.split("\n").length,
    match_spans: spans.sort((a, b) => a[0] - b[0]),
  };
}

function topicOf(path: string): string {
  return path.split("/").slice(0, -1).slice(0, 2).join("/");
}

function encode(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
