// Files that were touched but hold what they held: their rows learn the new size and time, nothing else.
import type { StoredDocument, VectorStore } from "../plugin-api.js";
import type { Fingerprint } from "./scan.js";

const allFields = Object.keys({
  path: true,
  title: true,
  mediaType: true,
  parser: true,
  sizeBytes: true,
  modifiedMs: true,
  contentHash: true,
  lineCount: true,
  chunkCount: true,
  declinedCount: true,
  category: true,
  categoryKey: true,
  topic: true,
  topicKey: true,
  date: true,
  tags: true,
  tagKeys: true,
  pathKey: true,
} satisfies Record<keyof StoredDocument, true>) as (keyof StoredDocument)[];

/** Stores new fingerprints. One pass over the documents: a checkout touches thousands of files at once. */
export async function updateFingerprints(
  store: VectorStore,
  fingerprints: readonly Fingerprint[],
): Promise<void> {
  if (fingerprints.length === 0) return;
  const byPath = new Map(fingerprints.map((fingerprint) => [fingerprint.path, fingerprint]));
  const update: StoredDocument[] = [];
  for await (const batch of store.documents(allFields))
    for (const stored of batch) {
      const fingerprint = byPath.get(stored.path);
      if (fingerprint !== undefined) update.push({ ...stored, ...fingerprint });
    }
  await store.write({ update });
}
