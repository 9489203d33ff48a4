// Makes the hits that a caller sees out of passages and their documents.
import { documentUri } from "../documents/document-uri.js";
import type { ChunkKey, StoredDocument, VectorStore } from "../plugin-api.js";
import { matchSpans, type Marks } from "./match-spans.js";
import type { Passage } from "./passages.js";
import type { Explanation, SearchHit } from "./search-reply.js";

/** Documents by path; read once, when a hit is to be shown of them. */
export class ShownDocuments {
  readonly #byPath = new Map<string, StoredDocument>();

  constructor(private readonly store: VectorStore) {}

  /** @throws KbError KB_STORE_* */
  async read(keys: readonly ChunkKey[]): Promise<void> {
    const paths = new Set(keys.map(({ path }) => path).filter((path) => !this.#byPath.has(path)));
    if (paths.size === 0) return;
    for (const document of await this.store.documentsAt([...paths]))
      this.#byPath.set(document.path, document);
  }

  get(path: string): StoredDocument | undefined {
    return this.#byPath.get(path);
  }
}

/** Hits in the order of the passages; one whose document has left the index meanwhile is left out. */
export function presentHits(
  passages: readonly Passage[],
  documents: ShownDocuments,
  isServable: (document: StoredDocument) => boolean,
  marks: Marks,
  explain?: (chunk: ChunkKey) => Explanation,
): SearchHit[] {
  return passages.flatMap(({ ranked, chunk, expandedFrom }) => {
    const document = documents.get(ranked.path);
    if (document === undefined) return [];
    return {
      score: ranked.score,
      path: ranked.path,
      ...(isServable(document) && { uri: documentUri(ranked.path) }),
      title: document.title,
      ...(chunk.heading !== undefined && { heading: chunk.heading }),
      heading_path: [...chunk.headingPath],
      ...(document.category !== undefined && { category: document.category }),
      topic: document.topic,
      ...(document.date !== undefined && { date: document.date }),
      tags: [...document.tags],
      content: chunk.content,
      ...(chunk.startLine !== undefined && { start_line: chunk.startLine }),
      ...(chunk.endLine !== undefined && { end_line: chunk.endLine }),
      match_spans: matchSpans(chunk.content, marks),
      ...(expandedFrom !== undefined && { expanded_from: [...expandedFrom] }),
      ...(explain !== undefined && { explanation: explain(ranked) }),
    };
  });
}
