// Cuts texts to what the model reads, and lists of them to what a request may hold. Pure.
import { estimateTokens } from "../../../core/plugin-api.js";

/** The text with its prefix, at most `maxTokens` estimated tokens; null if there is nothing to read. */
export function prepareText(text: string, prefix: string, maxTokens: number): string | null {
  if (text.trim() === "") return null;
  // No token holds more than four units; half of a pair is no valid UTF-8, and servers refuse it.
  const whole = (prefix + text).replace(/\p{Surrogate}/gu, "\uFFFD").slice(0, 4 * maxTokens);
  if (estimateTokens(whole) <= maxTokens) return whole.replace(/\p{Surrogate}/gu, "");
  let fits = 0;
  let tooLong = whole.length;
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (estimateTokens(whole.slice(0, middle)) <= maxTokens) fits = middle;
    else tooLong = middle;
  }
  return whole.slice(0, fits).replace(/\p{Surrogate}/gu, "");
}

/** The next texts for one request: at least one, then as many as both limits allow. */
export function takeBatch(texts: readonly string[], start: number, size: number, tokens: number): string[] {
  let end = start;
  let taken = 0;
  while (end < texts.length && end - start < size) {
    taken += estimateTokens(texts[end] ?? "");
    if (end > start && taken > tokens) break;
    end++;
  }
  return texts.slice(start, end);
}
