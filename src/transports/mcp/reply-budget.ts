// What the tools that keep their replies within the budget of [mcp] max_reply_tokens share. A reply travels twice,
// as structured content and as text; core counts both.
import { partTokens } from "../../core/index.js";

export const defaultMaxReplyTokens = 16_000;

/** Tokens to set aside for a note that says what was left out. */
export const noteTokens = 200;

/** How many entries, from the first on, fit into a number of tokens. */
export function countThatFit(entries: readonly unknown[], tokens: number): number {
  let left = tokens;
  const over = entries.findIndex((entry) => (left -= partTokens(entry)) < 0);
  return over === -1 ? entries.length : over;
}
