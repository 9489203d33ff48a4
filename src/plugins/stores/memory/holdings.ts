// Everything that one index holds: documents, metadata and the index of their words, which change together.
import type { StoreCounts, StoredDocument, TextQuery, WriteBatch } from "../../../core/plugin-api.js";
import { entryOf, frozenDocument, type Entry, type Passage } from "./entry.js";
import { InvertedIndex } from "./inverted-index.js";

export class Holdings {
  readonly dimensions: number;
  #meta: Readonly<Record<string, string>>;
  readonly #entries = new Map<string, Entry>();
  readonly #index = new InvertedIndex();
  #vectors = 0;

  constructor(dimensions: number, meta: Readonly<Record<string, string>>) {
    this.dimensions = dimensions;
    this.#meta = Object.freeze({ ...meta });
  }

  get meta(): Readonly<Record<string, string>> {
    return this.#meta;
  }

  addMeta(entries: Readonly<Record<string, string>>): void {
    this.#meta = Object.freeze({ ...this.#meta, ...entries });
  }

  /** All of a batch or, where it throws, nothing of it. @throws KbError KB_STORE_MISMATCH */
  apply({ put = [], update = [], delete: gone = [] }: WriteBatch): void {
    const entries = put.map((write) => entryOf(write, this.dimensions));
    const rows = update.map(frozenDocument);
    // From here on nothing throws.
    for (const path of gone) this.#remove(path);
    for (const entry of entries) {
      this.#remove(entry.document.path);
      this.#entries.set(entry.document.path, entry);
      for (const passage of entry.passages) this.#index.add(passage);
      this.#vectors += vectorsOf(entry);
    }
    for (const document of rows) {
      const entry = this.#entries.get(document.path);
      if (entry !== undefined) this.#entries.set(document.path, { ...entry, document });
    }
  }

  entry(path: string): Entry | undefined {
    return this.#entries.get(path);
  }

  /** All documents as they are now; later commits do not change it. */
  snapshot(): Entry[] {
    return [...this.#entries.values()];
  }

  /** Every passage that holds a term of the query, with its document as it is now. */
  score(query: TextQuery): { passage: Passage; document: StoredDocument; score: number }[] {
    return this.#index.score(query).flatMap(({ passage, score }) => {
      const document = this.#entries.get(passage.key.path)?.document;
      return document === undefined ? [] : { passage, document, score };
    });
  }

  /** In how many passages a term occurs in the text. */
  frequency(term: string): number {
    return this.#index.frequency("text", term);
  }

  counts(): StoreCounts {
    return { documents: this.#entries.size, chunks: this.#index.size, vectors: this.#vectors };
  }

  #remove(path: string): void {
    const entry = this.#entries.get(path);
    if (entry === undefined) return;
    this.#entries.delete(path);
    for (const passage of entry.passages) this.#index.remove(passage);
    this.#vectors -= vectorsOf(entry);
  }
}

function vectorsOf({ passages }: Entry): number {
  return passages.filter(({ vector }) => vector !== null).length;
}
