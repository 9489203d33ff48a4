// Lets the passages of a reply grow as far as its budget allows.
import type { VectorStore } from "../plugin-api.js";
import type { CompiledQuery } from "./compile-query.js";
import { growPassages, keysAround, roomFor, type GrowingChunk } from "./parent-passages.js";
import type { Passage } from "./passages.js";
import { replyTokens } from "./reply-tokens.js";
import type { SearchReply } from "./search-reply.js";

const neighbourFields = [
  "path",
  "position",
  "heading",
  "headingPath",
  "content",
  "contentKey",
  "startLine",
  "endLine",
  "tokens",
] as const satisfies readonly (keyof GrowingChunk)[];

export interface Growing {
  /** The reply with passages as large as they may be without having to be shortened; as they are if nothing fits. */
  largest(replyWith: (passages: readonly Passage[]) => SearchReply): SearchReply;
}

/**
 * Reads what the candidates may grow into. What the query excludes is not taken in either.
 * @throws KbError KB_STORE_*
 */
export async function growingIn(
  store: VectorStore,
  candidates: readonly Passage<GrowingChunk>[],
  limit: number,
  { contentExcludes = [] }: CompiledQuery["conditions"],
  maxReplyTokens: number,
): Promise<Growing> {
  const room = roomFor(limit, maxReplyTokens);
  const keys = candidates.map(({ ranked }) => ranked);
  const neighbours = room.tokens === 0 ? [] : await store.chunks(keysAround(keys, room), neighbourFields);
  const excluded = contentExcludes.map((expression) => new RegExp(expression, "u"));
  const isBarred = ({ contentKey }: GrowingChunk): boolean =>
    excluded.some((expression) => expression.test(contentKey));
  return {
    largest(replyWith) {
      for (let { tokens } = room; tokens > 0; tokens = Math.floor(tokens / 2)) {
        const reply = replyWith(growPassages(candidates, neighbours, { ...room, tokens }, isBarred));
        if (replyTokens(reply) <= maxReplyTokens) return reply;
      }
      return replyWith(candidates.slice(0, limit));
    },
  };
}
