// A token estimate that needs no model.

const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Tokens of a text: one for each CJK character, one for every four other UTF-16 code units, rounded up.
 */
export function estimateTokens(text: string): number {
  let quarters = 0;
  for (const character of text) quarters += cjk.test(character) ? 4 : character.length;
  return Math.ceil(quarters / 4);
}
