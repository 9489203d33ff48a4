// A VectorStore in memory, exact and small: Okapi BM25 (k1 1.2, b 0.75) and cosine by brute force.
/* eslint-disable @typescript-eslint/require-await -- the interface is asynchronous, memory is not */
import type {
  ChunkFilter,
  ChunkKey,
  DocumentWrite,
  ScoredChunk,
  StoredChunk,
  StoredDocument,
  TermField,
  TextQuery,
  VectorStore,
  WriteBatch,
} from "../../src/core/plugin-api.js";

export function memoryStore(initial: readonly DocumentWrite[] = []): VectorStore {
  const writes = new Map<string, DocumentWrite>();
  let version = 0;
  let meta: Record<string, string> | undefined;

  const chunksOf = (filter: ChunkFilter = {}): StoredChunk[] =>
    [...writes.values()].flatMap(({ document, chunks }) =>
      chunks.filter((chunk) => admits(filter, document, chunk)),
    );
  const write = ({ put = [], update = [], delete: gone = [] }: WriteBatch): void => {
    for (const path of gone) writes.delete(path);
    for (const entry of put) writes.set(entry.document.path, entry);
    for (const document of update) {
      const { chunks } = writes.get(document.path)!;
      writes.set(document.path, { document, chunks });
    }
    version += 1;
  };
  write({ put: initial });

  return {
    async readMeta() {
      return meta;
    },
    async reset(spec) {
      writes.clear();
      meta = { ...spec.meta };
    },
    async writeMeta(entries) {
      meta = { ...meta, ...entries };
    },
    async write(batch) {
      write(batch);
    },
    async *documents() {
      yield [...writes.values()].map(({ document }) => document);
    },
    async documentsAt(paths) {
      return paths.flatMap((path) => writes.get(path)?.document ?? []);
    },
    async chunks(keys) {
      return keys.flatMap(({ path, position }) => writes.get(path)?.chunks[position] ?? []);
    },
    async documentChunks(path) {
      return [...(writes.get(path)?.chunks ?? [])];
    },
    async textSearch(query, k, filter) {
      const all = chunksOf();
      const scores = new Map<StoredChunk, number>();
      for (const clause of query.clauses) addBm25(all, clause, scores);
      const admitted = new Set(chunksOf(filter));
      return top(
        [...scores].filter(([chunk]) => admitted.has(chunk)),
        k,
      );
    },
    async vectorSearch(vector, k, filter) {
      return top(
        chunksOf(filter).flatMap((chunk): [StoredChunk, number][] =>
          chunk.vector === null ? [] : [[chunk, dot(vector, chunk.vector)]],
        ),
        k,
      );
    },
    async filteredChunks(filter, k) {
      const keys = chunksOf(filter).map(({ path, position }) => ({ path, position }));
      return keys.sort(compareKeys).slice(0, k);
    },
    async documentFrequencies(terms) {
      return terms.map((term) => chunksOf().filter(({ terms: { text } }) => text.includes(term)).length);
    },
    async counts() {
      const all = chunksOf();
      const vectors = all.filter(({ vector }) => vector !== null).length;
      return { documents: writes.size, chunks: all.length, vectors };
    },
    async version() {
      return String(version);
    },
    async maintain() {
      // Nothing to bring up to date.
    },
    async close() {
      // Nothing to close.
    },
  };
}

function admits(filter: ChunkFilter, document: StoredDocument, chunk: StoredChunk): boolean {
  const matches = (expression: string): boolean => new RegExp(expression, "u").test(document.pathKey);
  const { categoryKey, topicKey, tagKeysAny, tagKeysAll, dateFrom, dateTo, minQuality } = filter;
  return (
    (categoryKey === undefined || document.categoryKey === categoryKey) &&
    (topicKey === undefined ||
      document.topicKey === topicKey ||
      document.topicKey.startsWith(`${topicKey}/`)) &&
    (filter.pathIncludes === undefined || filter.pathIncludes.some(matches)) &&
    !(filter.pathExcludes ?? []).some(matches) &&
    (tagKeysAny === undefined || tagKeysAny.some((tag) => document.tagKeys.includes(tag))) &&
    (tagKeysAll ?? []).every((tag) => document.tagKeys.includes(tag)) &&
    (dateFrom === undefined || (document.date !== undefined && document.date >= dateFrom)) &&
    (dateTo === undefined || (document.date !== undefined && document.date <= dateTo)) &&
    (filter.contentIncludes ?? []).every((expression) =>
      new RegExp(expression, "u").test(chunk.contentKey),
    ) &&
    !(filter.contentExcludes ?? []).some((expression) =>
      new RegExp(expression, "u").test(chunk.contentKey),
    ) &&
    (minQuality === undefined || chunk.quality >= minQuality)
  );
}

function addBm25(
  chunks: readonly StoredChunk[],
  { field, terms, weight }: TextQuery["clauses"][number],
  scores: Map<StoredChunk, number>,
): void {
  const lengthOf = (chunk: StoredChunk, of: TermField): number => chunk.terms[of].length;
  const average = chunks.reduce((sum, chunk) => sum + lengthOf(chunk, field), 0) / chunks.length;
  for (const term of terms) {
    const holders = chunks.flatMap((chunk): [StoredChunk, number][] => {
      const count = chunk.terms[field].filter((held) => held === term).length;
      return count > 0 ? [[chunk, count]] : [];
    });
    const idf = Math.log(1 + (chunks.length - holders.length + 0.5) / (holders.length + 0.5));
    for (const [chunk, count] of holders) {
      const norm = 1.2 * (0.25 + (0.75 * lengthOf(chunk, field)) / average);
      const score = (weight * idf * count * 2.2) / (count + norm);
      scores.set(chunk, (scores.get(chunk) ?? 0) + score);
    }
  }
}

function top(scored: readonly [StoredChunk & ChunkKey, number][], k: number): ScoredChunk[] {
  return [...scored]
    .sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || compareKeys(a, b))
    .slice(0, k)
    .map(([{ path, position }, score]) => ({ path, position, score }));
}

function compareKeys(a: ChunkKey, b: ChunkKey): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.position - b.position;
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
