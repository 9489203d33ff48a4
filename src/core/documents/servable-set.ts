// What may be served as a resource: indexed, openable by the active registry, and within the cap of a read. The
// listing, completion, topic bodies, the `uri` of a hit and resource reads all ask here and nowhere else.
import { limits } from "../limits.js";
import type { StoredDocument, VectorStore } from "../plugin-api.js";
import type { ParserRegistry } from "./parser-registry.js";

/** A document on offer. */
export type ServableDocument = Pick<StoredDocument, "path" | "pathKey" | "title" | "topic">;

/**
 * Whether an indexed document can be read as a resource. Text past the read cap would be refused; a binary
 * format's extracted text is cut with a notice instead, so its size does not matter.
 */
export function isServable(
  document: Pick<StoredDocument, "path" | "sizeBytes">,
  registry: ParserRegistry,
): boolean {
  const parser = registry.forPath(document.path);
  // Not "<=": a size that a store does not know compares with nothing, and counts as small enough.
  return parser !== undefined && (parser.binary || !(document.sizeBytes > limits.readTextBytes));
}

/** The servable set in order of path: one query over the index, filtered by the registry. */
export async function servableDocuments(
  store: VectorStore,
  registry: ParserRegistry,
): Promise<ServableDocument[]> {
  const servable: ServableDocument[] = [];
  for await (const batch of store.documents(["path", "pathKey", "title", "topic", "sizeBytes"]))
    for (const document of batch)
      if (isServable(document, registry)) {
        const { path, pathKey, title, topic } = document;
        servable.push({ path, pathKey, title, topic });
      }
  return servable.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Whether a path is in the servable set, without listing the set. */
export async function isServablePath(
  store: VectorStore,
  registry: ParserRegistry,
  path: string,
): Promise<boolean> {
  const [document] = await store.documentsAt([path]);
  return document !== undefined && isServable(document, registry);
}
