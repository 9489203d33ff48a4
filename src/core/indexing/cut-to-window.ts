// Cuts a document to what its embedder reads of a text, where the embedder counts its own tokens.
import { setImmediate } from "node:timers/promises";
import { estimateTokens, type Embedder, type StoredChunk } from "../plugin-api.js";
import { analysed, type ChunkedDocument, type ChunkTokens } from "./chunk-parts.js";
import { cutChunk } from "./chunker.js";
import { asking, embeddingTexts, oneForEach } from "./embed-documents.js";
import { EmbedderAnswerError } from "./embedder-failure.js";
import { nameOf } from "./vector-flaw.js";

/** What of an embedder says how large passages may be. */
export type Window = Pick<Embedder, "model" | "chunkTokens" | "countTokens">;

/**
 * Share of the estimate below which a document is cut anew, into larger passages: a model of many languages takes two
 * tokens for three characters of Japanese.
 */
const roomyShare = 0.8;
/** Room left for what is not in proportion: a piece has the line with its headings too. */
const margin = 0.95;
/** Times that pieces are cut anew. A line of headings alone may be too long; then cutting does not help. */
const rounds = 5;
/** Chunks cut and analysed without a pause: some milliseconds. */
const chunksAtOnce = 16;

/**
 * The chunks of a document: none takes more than `chunkTokens.max` of the embedder's own tokens, and they come near to
 * its target. An embedder that does not count gets what the estimates say.
 * @param cut cuts the document by estimated tokens
 * @throws KbError KB_EMBED_FAILED if the embedder does not count, KB_CANCELLED, and what `cut` throws
 */
export async function cutToWindow(
  path: string,
  cut: (chunkTokens: ChunkTokens) => Promise<ChunkedDocument>,
  embedder: Window,
  signal: AbortSignal,
): Promise<ChunkedDocument> {
  const { chunkTokens } = embedder;
  const first = await cut(chunkTokens);
  if (embedder.countTokens === undefined || first.chunks.length === 0) return first;
  const share = ratio(await countTokens(first, embedder, signal), first);
  // One that counts no token at all says nothing of sizes.
  const isRoomy = share > 0 && share < roomyShare && first.chunks.length > 1;
  const document = isRoomy ? await cut(scaled(chunkTokens, margin / share)) : first;

  let chunks = document.chunks;
  for (let round = 0; round < rounds; round++) {
    const counts = await countTokens({ ...document, chunks }, embedder, signal);
    if (counts.every((tokens) => tokens <= chunkTokens.max)) break;
    const pieces: StoredChunk[] = [];
    for (const [index, chunk] of chunks.entries()) {
      const tokens = counts[index] ?? 0;
      if (index % chunksAtOnce === 0) await setImmediate();
      if (tokens <= chunkTokens.max) pieces.push(chunk);
      else {
        // By what the tokens of this very chunk say, so that one table of numbers does not make all chunks small.
        const size = scaled(chunkTokens, (margin * chunk.tokens) / tokens);
        for (const piece of cutChunk(chunk, size)) pieces.push(analysed(path, document.description, piece));
      }
    }
    if (pieces.length === chunks.length) break;
    chunks = pieces;
  }
  return { ...document, chunks: chunks.map((chunk, position) => ({ ...chunk, position })) };
}

type Chunked = Pick<ChunkedDocument, "title" | "chunks">;

/** The tokens that chunks take as they are embedded. */
async function countTokens(document: Chunked, embedder: Window, signal: AbortSignal): Promise<number[]> {
  const texts = embeddingTexts(document);
  const answer = await asking(embedder, signal, async () => embedder.countTokens?.(texts, signal) ?? []);
  const counts = oneForEach(embedder, "tokens", answer, texts);
  const wrong = counts.findIndex((tokens) => !(Number.isFinite(tokens) && tokens >= 0));
  if (wrong < 0) return counts;
  throw new EmbedderAnswerError(
    `The embedder ${embedder.model}, asked how many tokens a text takes, answered ${nameOrNumber(counts[wrong])}`,
  );
}

function nameOrNumber(value: unknown): string {
  return typeof value === "number" ? String(value) : nameOf(value);
}

/** The embedder's tokens for each estimated one. */
function ratio(counts: readonly number[], document: Chunked): number {
  const estimated = embeddingTexts(document).reduce((sum, text) => sum + estimateTokens(text), 0);
  return counts.reduce((sum, tokens) => sum + tokens, 0) / Math.max(1, estimated);
}

function scaled({ target, max }: ChunkTokens, factor: number): ChunkTokens {
  return { target: Math.max(1, target * factor), max: Math.max(1, max * factor) };
}
