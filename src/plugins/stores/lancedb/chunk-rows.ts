// Chunks as rows of the chunks table. A row repeats the fields of its document that filters match.
import type {
  ChunkKey,
  ChunkTerms,
  StoredChunk,
  StoredDocument,
  TermField,
} from "../../../core/plugin-api.js";
import { termColumns, type Cell, type Row } from "./columns.js";
import { withoutNulls } from "./document-rows.js";

/** The fields of a StoredChunk. */
export const chunkFields = [
  "path",
  "position",
  "heading",
  "headingPath",
  "level",
  "content",
  "contentKey",
  "startLine",
  "endLine",
  "tokens",
  "quality",
  "terms",
  "vector",
] as const satisfies readonly (keyof StoredChunk)[];

type StoredChunkColumn = Exclude<keyof StoredChunk, "terms"> | TermField;

/** A row, or those of its columns that were read. */
export type StoredChunkRow = Readonly<Partial<Record<StoredChunkColumn, Cell>>>;

/** The columns that fields of a chunk are made of. */
export function columnsOf(fields: readonly (keyof StoredChunk)[]): StoredChunkColumn[] {
  return [...new Set(fields)].flatMap((field) => (field === "terms" ? termColumns : [field]));
}

/** One text for each key. */
export function chunkId({ path, position }: ChunkKey): string {
  return `${position}/${path}`;
}

export function chunkRow(chunk: StoredChunk, document: StoredDocument): Row {
  return {
    id: chunkId(chunk),
    path: chunk.path,
    position: chunk.position,
    heading: chunk.heading ?? null,
    headingPath: chunk.headingPath,
    level: chunk.level,
    content: chunk.content,
    contentKey: chunk.contentKey,
    startLine: chunk.startLine ?? null,
    endLine: chunk.endLine ?? null,
    tokens: chunk.tokens,
    quality: chunk.quality,
    text: joinTerms(chunk.terms.text),
    title: joinTerms(chunk.terms.title),
    bigrams: joinTerms(chunk.terms.bigrams),
    vector: chunk.vector,
    hasVector: chunk.vector !== null,
    categoryKey: document.categoryKey ?? null,
    topicKey: document.topicKey,
    date: document.date ?? null,
    tagKeys: document.tagKeys,
    pathKey: document.pathKey,
  };
}

/** A chunk, or those of its fields whose columns were read: what is null in the row is absent. */
export function chunkOf<Field extends keyof StoredChunk = keyof StoredChunk>(
  row: StoredChunkRow,
): Pick<StoredChunk, Field> {
  const { text, title, bigrams, vector, ...rest } = row;
  return {
    ...withoutNulls(rest),
    ...(text !== undefined && { terms: termsOf({ text, title, bigrams }) }),
    ...(vector !== undefined && { vector }),
  } as unknown as Pick<StoredChunk, Field>;
}

function joinTerms(terms: readonly string[]): string {
  return terms.join(" ");
}

/** The terms of a row's three term columns. */
export function termsOf({
  text,
  title,
  bigrams,
}: {
  readonly [Field in TermField]?: Cell | undefined;
}): ChunkTerms {
  return { text: splitTerms(text), title: splitTerms(title), bigrams: splitTerms(bigrams) };
}

function splitTerms(cell: Cell | undefined): string[] {
  return cell === "" || typeof cell !== "string" ? [] : cell.split(" ");
}
