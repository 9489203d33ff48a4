// Finds the document that a walk starts from, and for one that is not there the one that was probably meant.
import { parseDocumentPath, quotePath } from "../documents/document-path.js";
import { parseKbUri } from "../documents/document-uri.js";
import { isKbError, KbError } from "../errors.js";
import type { StoredDocument, VectorStore } from "../plugin-api.js";
import { throwIfCancelled } from "../search/cancelled.js";
import { nearestPath, type KnownPath } from "./nearest-path.js";

/**
 * The indexed document of a path or a kb://doc/ URI. A path in another Unicode form is taken for the only indexed one
 * that equals it.
 * @throws KbError KB_GRAPH_START if it is not indexed, or no path or URI; KB_CANCELLED, KB_STORE_*
 */
export async function findStart(
  store: VectorStore,
  start: string,
  signal: AbortSignal,
): Promise<StoredDocument> {
  const path = pathOf(start);
  const [document] = await store.documentsAt([path]);
  if (document !== undefined) return document;
  const known: KnownPath[] = [];
  for await (const batch of store.documents(["path", "pathKey"])) {
    throwIfCancelled(signal);
    for (const each of batch) known.push(each);
  }
  const near = await nearestPath(path, known, signal);
  const composed = path.normalize("NFC");
  const same = near.equal.filter((equal) => equal.normalize("NFC") === composed);
  const [found] = same.length === 1 ? await store.documentsAt(same) : [];
  if (found !== undefined) return found;
  throw new KbError("KB_GRAPH_START", `${quotePath(path)} is not in the index`, {
    ...(near.path !== undefined && { hint: `Did you mean ${quotePath(near.path)}?` }),
  });
}

function pathOf(start: string): string {
  try {
    if (!/^kb:\/\//iu.test(start)) return parseDocumentPath(start.replace(/^(?:\.\/)+/u, ""));
    const resource = parseKbUri(start);
    if (resource.kind === "document") return resource.path;
  } catch (error) {
    // Nothing was to be read: whatever is wrong with it, it is no start.
    throw isKbError(error) ? new KbError("KB_GRAPH_START", error.message, { cause: error }) : error;
  }
  throw new KbError("KB_GRAPH_START", `${quotePath(start)} names a topic, not a document`, {
    hint: "Start from one of its documents; reading the URI lists them.",
  });
}
