// A token estimate that needs no model.

const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * The estimate in quarters of a token. Unlike the estimate itself it adds up: the quarters of two texts are the
 * sum of the quarters of each.
 */
export function tokenQuarters(text: string): number {
  let quarters = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x1100) continue;
    const common = (unit >= 0x4e00 && unit <= 0x9fff) || (unit >= 0x3041 && unit <= 0x3096);
    const character = common ? "" : String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (common || cjk.test(character)) quarters += character.length === 2 ? 2 : 3;
    if (character.length === 2) at++;
  }
  return quarters;
}

/**
 * Tokens of a text: one for each CJK character, one for every four other UTF-16 code units, rounded up.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(tokenQuarters(text) / 4);
}
