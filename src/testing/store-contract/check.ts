// One test of a contract, and what is common to many of them.
import type { ChunkKey, DocumentWrite, StoredDocument, VectorStore } from "../../core/plugin-api.js";
import { dimensions } from "./corpus.js";

export interface CheckSubject {
  /** A store that nothing was ever built in. */
  readonly store: VectorStore;
  /** Closes it and opens it again on the same data; an ephemeral store stays as it is. */
  readonly reopen: () => Promise<VectorStore>;
  /** One more store of the same kind. */
  readonly another: () => Promise<VectorStore>;
}

export interface Check {
  /** A sentence of behaviour. */
  readonly name: string;
  /** true if there is nothing to check of an ephemeral store. */
  readonly lasting?: true;
  run(subject: CheckSubject): Promise<void>;
}

/** Starts an index and puts documents into it, a few in a batch. */
export async function fill(store: VectorStore, documents: readonly DocumentWrite[]): Promise<void> {
  await store.reset({ dimensions, meta: {} });
  const batchSize = 60;
  for (let at = 0; at < documents.length; at += batchSize)
    await store.write({ put: documents.slice(at, at + batchSize) });
}

/** A key as text, for comparing sets. */
export function keyText({ path, position }: ChunkKey): string {
  return `${position}/${path}`;
}

export function keyTexts(keys: readonly ChunkKey[]): string[] {
  return keys.map(keyText);
}

export const allFields = Object.keys({
  path: 0,
  title: 0,
  mediaType: 0,
  parser: 0,
  sizeBytes: 0,
  modifiedMs: 0,
  contentHash: 0,
  lineCount: 0,
  chunkCount: 0,
  declinedCount: 0,
  category: 0,
  categoryKey: 0,
  topic: 0,
  topicKey: 0,
  date: 0,
  tags: 0,
  tagKeys: 0,
  pathKey: 0,
} satisfies Record<keyof StoredDocument, 0>) as (keyof StoredDocument)[];

/** Chosen fields of every document, in order of path. */
export async function collectDocuments<Field extends keyof StoredDocument>(
  store: VectorStore,
  fields: readonly Field[],
): Promise<Pick<StoredDocument, Field | "path">[]> {
  const found: Pick<StoredDocument, Field | "path">[] = [];
  for await (const batch of store.documents([...new Set<Field | "path">(["path", ...fields])]))
    found.push(...batch);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}
