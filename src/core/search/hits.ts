// Makes the hits that a caller sees out of ranked keys, their chunks and their documents.
import { documentUri } from "../documents/document-uri.js";
import type { ChunkKey, ScoredChunk, StoredChunk, StoredDocument } from "../plugin-api.js";
import { chunkId } from "./chunk-key.js";
import { matchSpans, type Marks } from "./match-spans.js";
import type { Explanation, SearchHit } from "./search-reply.js";

/** What a hit shows of its chunk. */
export type HitChunk = Pick<
  StoredChunk,
  keyof ChunkKey | "heading" | "headingPath" | "content" | "startLine" | "endLine"
>;

/** Hits in the order of `ranking`; one whose chunk or document has left the index meanwhile is left out. */
export function presentHits(
  ranking: readonly ScoredChunk[],
  chunks: readonly HitChunk[],
  documents: readonly StoredDocument[],
  isServable: (document: StoredDocument) => boolean,
  marks: Marks,
  explain?: (chunk: ChunkKey) => Explanation,
): SearchHit[] {
  const byPath = new Map(documents.map((document) => [document.path, document]));
  const byKey = new Map(chunks.map((chunk) => [chunkId(chunk), chunk]));
  return ranking.flatMap((ranked) => {
    const chunk = byKey.get(chunkId(ranked));
    const document = byPath.get(ranked.path);
    if (chunk === undefined || document === undefined) return [];
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
      ...(explain !== undefined && { explanation: explain(ranked) }),
    };
  });
}
