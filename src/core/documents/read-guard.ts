// The one read guard: every byte of a document that leaves kb-mcp or enters its index passes readGuarded.
// It decides what may be read; whether a file is excluded from the index does not matter here.
import type { FileHandle } from "node:fs/promises";
import { isKbError } from "../errors.js";
import { extensionOf, parseDocumentPath, type DocumentPath } from "./document-path.js";
import { placeOnDisk, type KnowledgeBaseRoot } from "./knowledge-base-root.js";
import { openRegularFile, type OpenFile } from "./read-guard-open.js";
import { readFailure, readRefusal } from "./read-guard-refusal.js";
import { confirmLocation, refuseBehindLink } from "./read-guard-location.js";
import { spellingOnDisk } from "./read-guard-spelling.js";

export interface ReadOptions {
  /** Extensions of the active registry: lower case, without the dot. */
  readonly extensions: ReadonlySet<string>;
  /** Largest size of a file in bytes, or what it is for an extension. */
  readonly maxBytes: number | ((extension: string) => number);
}

export interface GuardedFile {
  /** As the disk spells it. */
  readonly path: DocumentPath;
  readonly bytes: Uint8Array;
  readonly sizeBytes: number;
  /** Milliseconds since 1970, with its fraction. */
  readonly modifiedMs: number;
}

/**
 * Reads a file of the knowledge base. Everything after the check of the path is decided from one open handle, so
 * nothing that happens to the name meanwhile changes what is read.
 *
 * @param rawPath relative to the root, percent-decoded already if it comes from a URI
 * @throws KbError KB_READ_PATH, KB_READ_OUTSIDE, KB_READ_EXTENSION, KB_READ_NOT_FOUND, KB_READ_LINK, KB_READ_TYPE,
 * KB_READ_DENIED, KB_READ_TOO_LARGE, KB_READ_CHANGED, KB_READ_FAILED
 */
export async function readGuarded(
  root: KnowledgeBaseRoot,
  rawPath: string,
  options: ReadOptions,
): Promise<GuardedFile> {
  const asked = parseDocumentPath(rawPath);
  const extension = extensionOf(asked);
  if (!options.extensions.has(extension)) throw readRefusal.extension(asked, extension);
  const cap = typeof options.maxBytes === "number" ? options.maxBytes : options.maxBytes(extension);

  const { handle, stats, path: opened } = await openDocument(root, asked);
  try {
    const path = await confirmLocation(root, opened, handle);
    if (stats.size > cap) throw readRefusal.tooLarge(path, stats.size, cap);
    const bytes = await readBytes(handle, stats.size);
    const after = await handle.stat();
    if (bytes.length !== stats.size || after.size !== stats.size || after.mtimeMs !== stats.mtimeMs) {
      throw readRefusal.changed(path);
    }
    await confirmLocation(root, opened, handle);
    return { path, bytes, sizeBytes: stats.size, modifiedMs: stats.mtimeMs };
  } catch (error) {
    throw isKbError(error) ? error : readFailure(error, opened);
  } finally {
    await handle.close();
  }
}

async function openDocument(
  root: KnowledgeBaseRoot,
  asked: DocumentPath,
): Promise<OpenFile & { readonly path: DocumentPath }> {
  try {
    return { ...(await openRegularFile(placeOnDisk(root, asked), asked)), path: asked };
  } catch (error) {
    // What lies behind a link must not be told apart by the reason why it cannot be opened.
    await refuseBehindLink(root, asked);
    const path =
      isKbError(error) && error.code === "KB_READ_NOT_FOUND" ? await spellingOnDisk(root, asked) : asked;
    if (path === undefined || path === asked) throw error;
    return openDocument(root, path);
  }
}

/** Reads `size` bytes, or one more, which shows that the file grew; fewer if it shrank. */
async function readBytes(handle: FileHandle, size: number): Promise<Uint8Array> {
  // Not from Buffer's pool, whose memory other data shares.
  const bytes = new Uint8Array(size + 1);
  let length = 0;
  for (let read = 1; read > 0 && length < size; length += read) {
    ({ bytesRead: read } = await handle.read(bytes, { offset: length, position: length }));
  }
  return bytes.subarray(0, length);
}
