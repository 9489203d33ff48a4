// Lets the passages of a reply grow as far as its budget allows, and reads what they may grow into.
import { fold } from "../text/fold.js";
import type { ChunkFilter, ChunkKey, ScoredChunk, VectorStore } from "../plugin-api.js";
import { throwIfCancelled } from "./cancelled.js";
import { growPassages, keysAround, roomFor, type GrowingChunk, type IsBarred } from "./parent-passages.js";
import { joinChunks, passagesOf, type Passage } from "./passages.js";
import { replyTokens } from "./reply-tokens.js";
import type { SearchReply } from "./search-reply.js";

const fields = [
  "path",
  "position",
  "heading",
  "headingPath",
  "content",
  "startLine",
  "endLine",
  "tokens",
  "quality",
] as const satisfies readonly (keyof GrowingChunk)[];

export interface GrowingRequest {
  /** Passages that are wanted. */
  readonly limit: number;
  /** What was found passes it; what is taken in has to as well. */
  readonly filter: ChunkFilter;
  readonly maxReplyTokens: number;
}

/**
 * The reply with passages as large as they may be without having to be shortened; as they are if nothing fits.
 * @param candidates best first
 * @param others what follows them in the ranking; read where the candidates make fewer than `limit` passages
 * @throws KbError KB_CANCELLED, KB_STORE_*
 */
export async function largestReply(
  store: VectorStore,
  candidates: readonly Passage[],
  others: readonly ScoredChunk[],
  { limit, filter, maxReplyTokens }: GrowingRequest,
  replyWith: (passages: readonly Passage[]) => Promise<SearchReply>,
  signal: AbortSignal,
): Promise<SearchReply> {
  const room = roomFor(limit, maxReplyTokens);
  const isBarred = barredBy(filter);
  const found = [...candidates];
  const waiting = [...others];
  const neighbours: GrowingChunk[] = [];
  const readAround = async (keys: readonly ChunkKey[]): Promise<GrowingChunk[]> => {
    const chunks = await store.chunks(keysAround(keys, room), fields);
    throwIfCancelled(signal);
    neighbours.push(...chunks);
    return chunks;
  };
  const grown = async (tokens: number): Promise<Passage[]> => {
    for (;;) {
      const passages = growPassages(found, neighbours, { ...room, tokens }, isBarred);
      if (passages.length >= limit || waiting.length === 0) return passages;
      const next = waiting.splice(0, Math.max(limit, found.length));
      found.push(...passagesOf(next, await readAround(next)));
    }
  };

  if (room.tokens > 0) await readAround(found.map(({ ranked }) => ranked));
  for (let { tokens } = room; tokens > 0; tokens = Math.floor(tokens / 2)) {
    const reply = await replyWith(await grown(tokens));
    if (replyTokens(reply) <= maxReplyTokens) return reply;
  }
  return replyWith(found.slice(0, limit));
}

/** Whether a filter forbids to show a chunk together with others: a phrase may begin in one and end in the next. */
function barredBy({ contentExcludes = [], minQuality = 0 }: ChunkFilter): IsBarred {
  const excluded = contentExcludes.map((expression) => new RegExp(expression, "u"));
  return (chunk, together) => {
    if (chunk.quality < minQuality) return true;
    if (excluded.length === 0) return false;
    const folded = fold(joinChunks(together).content);
    return excluded.some((expression) => expression.test(folded));
  };
}
