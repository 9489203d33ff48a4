// The terms of a chunk, as the index keeps them. A query is analysed by the same parts.
import type { ChunkTerms } from "../../plugin-api.js";
import { bigramsOf } from "./bigrams.js";
import { withContextLine, type ChunkText } from "./context-line.js";
import { wordsOf } from "./words.js";

/** What names a chunk beside its headings. */
export interface ChunkNames {
  readonly path: string;
  readonly tags?: readonly string[];
}

/** The terms of a chunk. Its content is preceded by the line "title > headings". */
export function analyseChunk(chunk: ChunkText & ChunkNames): ChunkTerms {
  const { path, title = "", headingPath, tags = [] } = chunk;
  const text = withContextLine(chunk).normalize("NFKC");
  const names = [path, title, ...headingPath, ...tags].join("\n").normalize("NFKC");
  return { text: termsOf(text), title: termsOf(names), bigrams: bigramsOf(text, { singleHan: true }) };
}

// The wholes of identifiers come last, so that neighbouring words have neighbouring positions.
function termsOf(text: string): string[] {
  const words = wordsOf(text);
  return [
    ...words.filter((word) => word.kind === "word").map((word) => word.term),
    ...words.filter((word) => word.kind === "whole").map((word) => word.term),
  ];
}
