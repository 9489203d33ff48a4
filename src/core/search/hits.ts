// Makes the hits that a caller sees out of ranked keys, their chunks and their documents.
import { documentUri } from "../documents/document-uri.js";
import type { ChunkKey, ScoredChunk, StoredChunk, StoredDocument, VectorStore } from "../plugin-api.js";
import { chunkId } from "./chunk-key.js";
import { matchSpans, type Marks } from "./match-spans.js";
import type { SearchHit } from "./search-reply.js";

/** What is shown of a document beside its passages. */
export interface HitDocument {
  /** undefined if it is no longer in the index. */
  readonly document: StoredDocument | undefined;
  readonly servable: boolean;
}

/** The documents of hits by path, each fetched once. */
export async function documentsOf(
  store: VectorStore,
  isServable: (path: string) => boolean | Promise<boolean>,
  hits: readonly ChunkKey[],
): Promise<ReadonlyMap<string, HitDocument>> {
  const paths = [...new Set(hits.map(({ path }) => path))];
  return new Map(
    await Promise.all(
      paths.map(async (path): Promise<[string, HitDocument]> => {
        const [document, servable] = await Promise.all([store.document(path), isServable(path)]);
        return [path, { document, servable }];
      }),
    ),
  );
}

/** Hits in the order of `ranking`; one whose chunk or document has left the index meanwhile is left out. */
export function presentHits(
  ranking: readonly ScoredChunk[],
  chunks: readonly StoredChunk[],
  documents: ReadonlyMap<string, HitDocument>,
  marks: Marks,
): SearchHit[] {
  const byKey = new Map(chunks.map((chunk) => [chunkId(chunk), chunk]));
  return ranking.flatMap((ranked) => {
    const chunk = byKey.get(chunkId(ranked));
    const { document, servable = false } = documents.get(ranked.path) ?? {};
    if (chunk === undefined || document === undefined) return [];
    return {
      score: ranked.score,
      path: ranked.path,
      ...(servable && { uri: documentUri(ranked.path) }),
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
    };
  });
}
