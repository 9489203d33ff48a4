// Chunks as rows of the chunks table. A row repeats the fields of its document that filters match.
import type {
  ChunkKey,
  ChunkTerms,
  StoredChunk,
  StoredDocument,
  TermField,
} from "../../../core/plugin-api.js";
import type { Cell, chunkColumns, Row } from "./columns.js";
import { withoutNulls } from "./document-rows.js";

/** The columns that make a StoredChunk. */
export const storedChunkColumns = [
  "path",
  "position",
  "heading",
  "headingPath",
  "level",
  "content",
  "startLine",
  "endLine",
  "tokens",
  "quality",
  "text",
  "title",
  "bigrams",
  "vector",
] as const satisfies readonly (keyof typeof chunkColumns)[];

export type StoredChunkRow = Readonly<Record<(typeof storedChunkColumns)[number], Cell>>;

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

export function chunkOf(row: StoredChunkRow): StoredChunk {
  const { text, title, bigrams, vector, ...rest } = row;
  return {
    ...withoutNulls(rest),
    terms: termsOf({ text, title, bigrams }),
    vector,
  } as unknown as StoredChunk;
}

function joinTerms(terms: readonly string[]): string {
  return terms.join(" ");
}

/** The terms of a row's three term columns. */
export function termsOf({ text, title, bigrams }: Readonly<Record<TermField, Cell>>): ChunkTerms {
  return { text: splitTerms(text), title: splitTerms(title), bigrams: splitTerms(bigrams) };
}

/** The terms of a term column. */
export function splitTerms(cell: Cell): string[] {
  return cell === "" || typeof cell !== "string" ? [] : cell.split(" ");
}
