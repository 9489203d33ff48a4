// Documents as the indexer stores them, one chunk for each text given.
import type { DocumentWrite, Embedder } from "../../src/core/plugin-api.js";
import { analyseChunk } from "../../src/core/search/analyser/analyse-chunk.js";
import { embeddingText } from "../../src/core/search/analyser/embedding-text.js";
import { fold } from "../../src/core/text/fold.js";

export interface SampleDocument {
  readonly path: string;
  readonly title?: string;
  readonly category?: string;
  readonly date?: string;
  readonly tags?: readonly string[];
  readonly chunks: readonly (string | { readonly content: string; readonly quality: number })[];
}

export async function indexDocuments(
  documents: readonly SampleDocument[],
  embedder?: Embedder,
): Promise<DocumentWrite[]> {
  return Promise.all(documents.map((document) => indexDocument(document, embedder)));
}

async function indexDocument(
  { path, title = path, category, date, tags = [], chunks }: SampleDocument,
  embedder: Embedder | undefined,
): Promise<DocumentWrite> {
  const topic = path.split("/").slice(0, -1).slice(0, 2).join("/");
  const parts = chunks.map((chunk) => (typeof chunk === "string" ? { content: chunk, quality: 1 } : chunk));
  const texts = parts.map(({ content }) => embeddingText({ title, headingPath: [], content }));
  const vectors = await embedder?.embedDocuments(texts, new AbortController().signal);
  return {
    document: {
      path,
      pathKey: fold(path),
      title,
      mediaType: "text/markdown",
      parser: "md@1",
      sizeBytes: 100,
      modifiedMs: 0,
      contentHash: "",
      lineCount: chunks.length,
      chunkCount: chunks.length,
      declinedCount: parts.filter((_, position) => (vectors?.[position] ?? null) === null).length,
      ...(category !== undefined && { category, categoryKey: fold(category) }),
      topic,
      topicKey: fold(topic),
      ...(date !== undefined && { date }),
      tags,
      tagKeys: tags.map(fold),
    },
    chunks: parts.map(({ content, quality }, position) => ({
      path,
      position,
      headingPath: [],
      level: 0,
      content,
      contentKey: fold(content),
      startLine: position + 1,
      endLine: position + 1,
      tokens: 10,
      quality,
      terms: analyseChunk({ path, title, headingPath: [], content, tags }),
      vector: vectors?.[position] ?? null,
    })),
  };
}
