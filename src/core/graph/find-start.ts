// Finds the document that a walk starts from, and for one that is not there the one that was probably meant.
import { parseDocumentPath, quotePath } from "../documents/document-path.js";
import { parseKbUri } from "../documents/document-uri.js";
import { KbError } from "../errors.js";
import type { StoredDocument, VectorStore } from "../plugin-api.js";
import { fold } from "../text/fold.js";
import { nearestName } from "../text/nearest-name.js";

/**
 * The indexed document of a path or a kb://doc/ URI. A path in another Unicode form is taken for the only indexed one
 * that equals it.
 * @throws KbError KB_GRAPH_START if it is not indexed; KB_READ_* for what is no path or URI
 */
export async function findStart(store: VectorStore, start: string): Promise<StoredDocument> {
  const path = pathOf(start);
  const [document] = await store.documentsAt([path]);
  if (document !== undefined) return document;
  const paths: string[] = [];
  for await (const batch of store.documents(["path"])) for (const { path } of batch) paths.push(path);
  const composed = path.normalize("NFC");
  const same = paths.filter((known) => known.normalize("NFC") === composed);
  const [found] = same.length === 1 ? await store.documentsAt(same) : [];
  if (found !== undefined) return found;
  const near = nearestPath(path, paths.sort());
  throw new KbError("KB_GRAPH_START", `${quotePath(path)} is not in the index`, {
    ...(near !== undefined && { hint: `Did you mean ${quotePath(near)}?` }),
  });
}

function pathOf(start: string): string {
  if (!/^kb:\/\//iu.test(start)) return parseDocumentPath(start);
  const resource = parseKbUri(start);
  if (resource.kind === "document") return resource.path;
  throw new KbError("KB_GRAPH_START", `${quotePath(start)} names a topic, not a document`, {
    hint: "Start from one of its documents; reading the URI lists them.",
  });
}

/** Written in another case, with folders too many or too few, or with a slip of the finger. */
function nearestPath(wrong: string, paths: readonly string[]): string | undefined {
  const key = fold(wrong);
  const keys = paths.map((path) => ({ path, key: fold(path) }));
  const by = (matches: (known: string) => boolean): string | undefined =>
    keys.find(({ key: known }) => matches(known))?.path;
  return (
    by((known) => known === key) ??
    by((known) => key.endsWith(`/${known}`) || known.endsWith(`/${key}`)) ??
    by((known) => nameOf(known) === nameOf(key)) ??
    by((known) => known.startsWith(`${key}.`) || nameOf(known).startsWith(`${nameOf(key)}.`)) ??
    nearestName(wrong, paths) ??
    nearestFile(wrong, paths)
  );
}

function nearestFile(wrong: string, paths: readonly string[]): string | undefined {
  const name = nearestName(nameOf(wrong), [...new Set(paths.map(nameOf))]);
  return name === undefined ? undefined : paths.find((path) => nameOf(path) === name);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
