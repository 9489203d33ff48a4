// What a search must find, worked out the slow way from the definitions in the interface.
import type {
  ChunkFilter,
  DocumentWrite,
  ScoredChunk,
  StoredChunk,
  StoredDocument,
  TermField,
  TextQuery,
} from "../../core/plugin-api.js";

export interface ChunkOfDocument {
  readonly document: StoredDocument;
  readonly chunk: StoredChunk;
}

export function chunksOf(documents: Iterable<DocumentWrite>): ChunkOfDocument[] {
  return [...documents].flatMap(({ document, chunks }) => chunks.map((chunk) => ({ document, chunk })));
}

/** The chunks that pass a filter. */
export function filtered(all: readonly ChunkOfDocument[], filter: ChunkFilter): ChunkOfDocument[] {
  return all.filter((one) => passes(one, filter));
}

function passes({ document, chunk }: ChunkOfDocument, filter: ChunkFilter): boolean {
  const {
    categoryKey,
    topicKey,
    pathIncludes,
    pathExcludes,
    contentIncludes,
    contentExcludes,
    tagKeysAny,
    tagKeysAll,
    dateFrom,
    dateTo,
    minQuality,
  } = filter;
  const { date, tagKeys, pathKey } = document;
  const matches = (expression: string): boolean => new RegExp(`^(?:${expression})$`, "u").test(pathKey);
  const holds = (expression: string): boolean => new RegExp(expression, "u").test(chunk.contentKey);
  return (
    (categoryKey === undefined || document.categoryKey === categoryKey) &&
    (topicKey === undefined ||
      document.topicKey === topicKey ||
      document.topicKey.startsWith(`${topicKey}/`)) &&
    (isEmpty(pathIncludes) || pathIncludes.some(matches)) &&
    (isEmpty(pathExcludes) || !pathExcludes.some(matches)) &&
    (isEmpty(contentIncludes) || contentIncludes.every(holds)) &&
    (isEmpty(contentExcludes) || !contentExcludes.some(holds)) &&
    (isEmpty(tagKeysAny) || tagKeysAny.some((key) => tagKeys.includes(key))) &&
    (isEmpty(tagKeysAll) || tagKeysAll.every((key) => tagKeys.includes(key))) &&
    (dateFrom === undefined || (date !== undefined && date >= dateFrom)) &&
    (dateTo === undefined || (date !== undefined && date <= dateTo)) &&
    (minQuality === undefined || chunk.quality >= minQuality)
  );
}

function isEmpty(list: readonly string[] | undefined): list is undefined {
  return list === undefined || list.length === 0;
}

/** Okapi BM25, k1 1.2 and b 0.75, over all chunks; every field has statistics of its own. Best first. */
export function okapi(
  all: readonly ChunkOfDocument[],
  query: TextQuery,
  filter: ChunkFilter = {},
): ScoredChunk[] {
  const chunks = all.map(({ chunk }) => chunk);
  const scorers = query.clauses.flatMap(({ field, terms, weight }) =>
    terms.map((term) => termScorer(chunks, field, term, weight)),
  );
  return filtered(all, filter)
    .map(({ chunk }) => ({
      path: chunk.path,
      position: chunk.position,
      score: sum(scorers.map((score) => score(chunk))),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}

function termScorer(
  chunks: readonly StoredChunk[],
  field: TermField,
  term: string,
  weight: number,
): (chunk: StoredChunk) => number {
  const containing = frequencyOf(chunks, field, term);
  const averageLength = sum(chunks.map((chunk) => chunk.terms[field].length)) / chunks.length;
  const idf = Math.log(1 + (chunks.length - containing + 0.5) / (containing + 0.5));
  return ({ terms: { [field]: terms } }) => {
    const frequency = terms.filter((one) => one === term).length;
    if (frequency === 0) return 0;
    const length = terms.length / averageLength;
    return (weight * idf * frequency * 2.2) / (frequency + 1.2 * (0.25 + 0.75 * length));
  };
}

/** In how many chunks a term occurs. */
export function frequencyOf(chunks: readonly StoredChunk[], field: TermField, term: string): number {
  return chunks.filter((chunk) => chunk.terms[field].includes(term)).length;
}

/** Cosine similarity to a vector, nearest first; chunks without a vector are left out. */
export function nearest(
  all: readonly ChunkOfDocument[],
  vector: Float32Array,
  filter: ChunkFilter = {},
): ScoredChunk[] {
  return filtered(all, filter)
    .flatMap(({ chunk: { path, position, vector: own } }) =>
      own === null ? [] : [{ path, position, score: cosine(vector, own) }],
    )
    .sort((a, b) => b.score - a.score);
}

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = sum(Array.from(a, (value, index) => value * (b[index] ?? 0)));
  return dot / (Math.hypot(...a) * Math.hypot(...b));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
