// What is kept of a document: copies that nobody outside can change.
import {
  KbError,
  type ChunkKey,
  type DocumentWrite,
  type StoredChunk,
  type StoredDocument,
} from "../../../core/plugin-api.js";
import { inverseLength } from "./cosine.js";

/** A document and its passages. Replaced as a whole, never changed: who holds one may read it for as long as he likes. */
export interface Entry {
  readonly document: StoredDocument;
  /** Each at the index of its position. */
  readonly passages: readonly Passage[];
}

export interface Passage {
  readonly key: ChunkKey;
  readonly row: Omit<StoredChunk, "vector">;
  /** A window on the document's vectors, which lie one after another; never handed out. */
  readonly vector: Float32Array | null;
  readonly inverseLength: number;
}

/** @throws KbError KB_STORE_MISMATCH for a vector that is not of this length */
export function entryOf({ document, chunks }: DocumentWrite, dimensions: number): Entry {
  const vectors = new Float32Array(chunks.filter(({ vector }) => vector !== null).length * dimensions);
  let used = 0;
  const passages = chunks.map(({ vector, ...row }): Passage => {
    const { path, position } = row;
    const kept = { key: Object.freeze({ path, position }), row: frozenRow(row) };
    if (vector === null) return { ...kept, vector, inverseLength: 0 };
    checkLength(vector, dimensions);
    const own = vectors.subarray(used, (used += dimensions));
    own.set(vector);
    return { ...kept, vector: own, inverseLength: inverseLength(own) };
  });
  return { document: frozenDocument(document), passages };
}

/** @throws KbError KB_STORE_MISMATCH */
export function checkLength(vector: Float32Array, dimensions: number): void {
  if (vector.length !== dimensions)
    throw new KbError(
      "KB_STORE_MISMATCH",
      `A vector has ${vector.length} dimensions, those of the index have ${dimensions}`,
    );
}

export function frozenDocument(document: StoredDocument): StoredDocument {
  const { tags, tagKeys } = document;
  return Object.freeze({ ...document, tags: frozenList(tags), tagKeys: frozenList(tagKeys) });
}

function frozenRow(row: Omit<StoredChunk, "vector">): Omit<StoredChunk, "vector"> {
  const { text, title, bigrams } = row.terms;
  return Object.freeze({
    ...row,
    headingPath: frozenList(row.headingPath),
    terms: Object.freeze({ text: frozenList(text), title: frozenList(title), bigrams: frozenList(bigrams) }),
  });
}

/** The chunk as it was given; its vector is the reader's own copy. */
export function chunkOf({ row, vector }: Passage): StoredChunk {
  return { ...row, vector: vector === null ? null : vector.slice() };
}

/** Chosen fields; one that is absent stays absent. */
export function pick<Row extends object, Field extends keyof Row>(
  row: Row,
  fields: readonly Field[],
): Pick<Row, Field> {
  const picked: Partial<Pick<Row, Field>> = {};
  for (const field of fields) if (field in row) picked[field] = row[field];
  return picked as Pick<Row, Field>;
}

function frozenList(list: readonly string[]): readonly string[] {
  return Object.freeze([...list]);
}
