// Finds the one file that a path with other Unicode spellings means. Names that exist are never second-guessed.
import { readdir } from "node:fs/promises";
import { parseDocumentPath, type DocumentPath } from "./document-path.js";
import { placeOnDisk, type KnowledgeBaseRoot } from "./knowledge-base-root.js";

/**
 * The path with each segment as the disk has it: by its exact name, else by the only name that equals it in
 * composed form (NFC).
 *
 * @returns undefined if there is no such file, or if a segment could mean several
 */
export async function spellingOnDisk(
  root: KnowledgeBaseRoot,
  path: DocumentPath,
): Promise<DocumentPath | undefined> {
  if (path === path.normalize("NFC") && path === path.normalize("NFD")) return undefined;
  const found: string[] = [];
  for (const segment of path.split("/")) {
    const names = await readdir(placeOnDisk(root, found.join("/"))).catch((): string[] => []);
    const composed = segment.normalize("NFC");
    const same = names.includes(segment)
      ? [segment]
      : names.filter((name) => name.normalize("NFC") === composed);
    const [name] = same;
    if (name === undefined || same.length > 1) return undefined;
    found.push(name);
  }
  return parseDocumentPath(found.join("/"));
}
