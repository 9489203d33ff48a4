// Pairs of neighbouring CJK characters: they find a word inside a longer dictionary word.
import { chineseJapanese, hangul, isHan } from "./scripts.js";

const runs = new RegExp(`[${chineseJapanese}${hangul}]+`, "gv");

/**
 * The pairs of every run of CJK characters in a text in NFKC; a run of one character yields itself.
 * With `singleHan` every Han character is added, so that a query for one kanji finds it inside a word.
 */
export function bigramsOf(text: string, options: { readonly singleHan: boolean }): string[] {
  const terms: string[] = [];
  for (const [run] of text.matchAll(runs)) {
    const characters = Array.from(run);
    if (characters.length === 1) terms.push(run);
    let previous = "";
    for (const character of characters) {
      if (previous !== "") terms.push(previous + character);
      if (options.singleHan && characters.length > 1 && isHan(character)) terms.push(character);
      previous = character;
    }
  }
  return terms;
}
