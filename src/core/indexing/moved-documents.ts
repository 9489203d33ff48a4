// Files that moved: a path with the bytes of one that is gone keeps the vectors of that one.
import type { DocumentWrite, VectorStore } from "../plugin-api.js";
import { withVectors } from "./embed-documents.js";
import type { PreparedDocument } from "./prepare-document.js";
import type { Fingerprint } from "./scan.js";

/** A document that is written under a new path and removed from its old one. */
export interface Move {
  readonly from: string;
  readonly write: DocumentWrite;
}

export interface MovedDocuments {
  /** The move that a document is, or undefined if no document that is gone has its bytes. */
  match(prepared: PreparedDocument): Promise<Move | undefined>;
  /** Paths that are gone and did not turn up elsewhere. */
  notMoved(): string[];
}

/** @param gone documents of the store that have no file any more */
export function matchMoves(store: VectorStore, gone: readonly Fingerprint[]): MovedDocuments {
  const left = new Set(gone.map(({ path }) => path));
  // Several for one content: copies of a template are moved together.
  const byHash = new Map<string, Fingerprint[]>();
  for (const fingerprint of gone) {
    const same = byHash.get(fingerprint.contentHash);
    if (same === undefined) byHash.set(fingerprint.contentHash, [fingerprint]);
    else same.push(fingerprint);
  }
  return {
    async match(prepared) {
      const candidates = byHash.get(prepared.document.contentHash) ?? [];
      const at = candidates.findIndex(({ parser }) => parser === prepared.document.parser);
      const before = candidates[at];
      if (before === undefined) return undefined;
      const chunks = await store.documentChunks(before.path);
      if (chunks.length !== prepared.chunks.length) return undefined;
      candidates.splice(at, 1);
      left.delete(before.path);
      const vectors = chunks.map(({ vector }) => vector);
      return { from: before.path, write: withVectors(prepared, vectors) };
    },
    notMoved: () => [...left],
  };
}
