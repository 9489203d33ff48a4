// A ChunkFilter as two questions: one of a document, asked once for all of its chunks, and one of a chunk.
import type { ChunkFilter, StoredChunk, StoredDocument } from "../../../core/plugin-api.js";
import { wholeMatcher } from "./whole-matcher.js";

export interface Conditions {
  readonly admitsDocument: (document: StoredDocument) => boolean;
  readonly admitsChunk: (chunk: Pick<StoredChunk, "contentKey" | "quality">) => boolean;
}

export function conditionsOf(filter: ChunkFilter = {}): Conditions {
  return { admitsDocument: documentCondition(filter), admitsChunk: chunkCondition(filter) };
}

function documentCondition({
  categoryKey,
  topicKey,
  pathIncludes = [],
  pathExcludes = [],
  tagKeysAny = [],
  tagKeysAll = [],
  dateFrom,
  dateTo,
}: ChunkFilter): Conditions["admitsDocument"] {
  const includes = pathIncludes.map(wholeMatcher);
  const excludes = pathExcludes.map(wholeMatcher);
  const isWithin = (topic: string, above: string): boolean =>
    topic === above || topic.startsWith(`${above}/`);
  return (document) =>
    (categoryKey === undefined || document.categoryKey === categoryKey) &&
    (topicKey === undefined || isWithin(document.topicKey, topicKey)) &&
    (dateFrom === undefined || (document.date !== undefined && document.date >= dateFrom)) &&
    (dateTo === undefined || (document.date !== undefined && document.date <= dateTo)) &&
    (tagKeysAny.length === 0 || tagKeysAny.some((key) => document.tagKeys.includes(key))) &&
    tagKeysAll.every((key) => document.tagKeys.includes(key)) &&
    (includes.length === 0 || includes.some((matches) => matches(document.pathKey))) &&
    !excludes.some((matches) => matches(document.pathKey));
}

/**
 * Contents are searched for phrases: literal text with runs of white space and the like in it, no two of which meet.
 * A RegExp takes no long way through those.
 */
function chunkCondition({
  contentIncludes = [],
  contentExcludes = [],
  minQuality,
}: ChunkFilter): Conditions["admitsChunk"] {
  const expressionOf = (source: string): RegExp => new RegExp(source, "u");
  const includes = contentIncludes.map(expressionOf);
  const excludes = contentExcludes.map(expressionOf);
  return ({ contentKey, quality }) =>
    (minQuality === undefined || quality >= minQuality) &&
    includes.every((expression) => expression.test(contentKey)) &&
    !excludes.some((expression) => expression.test(contentKey));
}
