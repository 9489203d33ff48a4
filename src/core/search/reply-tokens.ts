// What a reply costs its reader: it is sent twice, as structured content and as JSON text.
import { estimateTokens } from "../estimate-tokens.js";

/** Tokens of the envelope around both copies, generously. */
const envelopeTokens = 30;

/**
 * Estimated tokens of a value that is a reply or a part of one, both copies counted: as JSON, and as JSON inside of a
 * JSON string, where quotes and backslashes are escaped once more. Parts add up to at least the whole.
 */
export function partTokens(part: unknown): number {
  const json = JSON.stringify(part);
  return estimateTokens(`${json},`) + estimateTokens(JSON.stringify(`${json},`).slice(1, -1));
}

/** Estimated tokens of a whole reply as a client receives it. */
export function replyTokens(reply: unknown): number {
  return envelopeTokens + partTokens(reply);
}
