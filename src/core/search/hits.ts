// Makes the hits that a caller sees out of passages and their documents.
import { documentUri } from "../documents/document-uri.js";
import type { ChunkKey, StoredDocument } from "../plugin-api.js";
import { matchSpans, type Marks } from "./match-spans.js";
import type { Passage } from "./passages.js";
import type { Explanation, SearchHit } from "./search-reply.js";

/** Hits in the order of the passages; one whose document has left the index meanwhile is left out. */
export function presentHits(
  passages: readonly Passage[],
  documents: readonly StoredDocument[],
  isServable: (document: StoredDocument) => boolean,
  marks: Marks,
  explain?: (chunk: ChunkKey) => Explanation,
): SearchHit[] {
  const byPath = new Map(documents.map((document) => [document.path, document]));
  return passages.flatMap(({ ranked, chunk, expandedFrom }) => {
    const document = byPath.get(ranked.path);
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
