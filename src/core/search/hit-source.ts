// Fetches chunks and documents for one search, each once. What the search by words found is fetched while the search
// by meaning still runs: most of it is among the final hits.
import type { ChunkKey, StoredChunk, StoredDocument, VectorStore } from "../plugin-api.js";
import { chunkId } from "./chunk-key.js";

/** What is shown of a document beside its passages. */
export interface HitDocument {
  /** undefined if it is no longer in the index. */
  readonly document: StoredDocument | undefined;
  readonly servable: boolean;
}

export class HitSource {
  readonly #chunks = new Map<string, Promise<StoredChunk | undefined>>();
  readonly #documents = new Map<string, Promise<HitDocument>>();

  constructor(
    private readonly store: VectorStore,
    private readonly isServable: (path: string) => boolean | Promise<boolean>,
  ) {}

  /** Begins to fetch; a failure shows when the same is asked for. */
  prefetch(chunks: readonly ChunkKey[], documents: readonly ChunkKey[]): void {
    this.chunks(chunks).catch(() => undefined);
    this.documents(documents).catch(() => undefined);
  }

  /** The chunks with these keys, in order; one that is gone is left out. */
  async chunks(keys: readonly ChunkKey[]): Promise<StoredChunk[]> {
    const missing = keys.filter((key) => !this.#chunks.has(chunkId(key)));
    if (missing.length > 0) {
      const fetched = this.store
        .chunks(missing)
        .then((chunks) => new Map(chunks.map((chunk) => [chunkId(chunk), chunk])));
      for (const key of missing) {
        const id = chunkId(key);
        this.#chunks.set(
          id,
          fetched.then((chunks) => chunks.get(id)),
        );
      }
    }
    const chunks = await Promise.all(keys.map((key) => this.#chunks.get(chunkId(key)) ?? undefined));
    return chunks.filter((chunk) => chunk !== undefined);
  }

  /** The documents that hold these chunks, by path. */
  async documents(keys: readonly ChunkKey[]): Promise<ReadonlyMap<string, HitDocument>> {
    const paths = [...new Set(keys.map(({ path }) => path))];
    return new Map(
      await Promise.all(
        paths.map(async (path): Promise<[string, HitDocument]> => [path, await this.#document(path)]),
      ),
    );
  }

  #document(path: string): Promise<HitDocument> {
    const known = this.#documents.get(path);
    if (known !== undefined) return known;
    const fetched = Promise.all([this.store.document(path), this.isServable(path)]).then(
      ([document, servable]) => ({ document, servable }),
    );
    this.#documents.set(path, fetched);
    return fetched;
  }
}
