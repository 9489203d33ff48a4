// What of a chunk is embedded. Never the path or the file name: a renamed file keeps its vectors.
import { withContextLine, type ChunkText } from "./context-line.js";

/** The text of a chunk for the embedder. `title` is the one that the document gives itself; absent if none. */
export function embeddingText(chunk: ChunkText): string {
  return withContextLine(chunk);
}
