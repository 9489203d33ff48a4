// The form under which a word is indexed and looked up.
import { stemmer } from "stemmer";
import { fold } from "../../text/fold.js";
import { emojiVariation, isKatakana } from "./scripts.js";

/** UTF-16 units of a term at most: room for a hash in hexadecimal, none for a data URI. */
export const termLength = 128;

/** Katakana words from this length lose a long-vowel mark at their end; Lucene's JapaneseKatakanaStemFilter. */
const katakanaStemLength = 4;

const englishWord = /^[a-z]{3,}$/;

/** The term of a word of a spaced script: folded, English words stemmed (Porter), at most `termLength` long. */
export function termOf(word: string): string {
  const folded = bound(fold(word));
  return englishWord.test(folded) ? stemmer(folded) : folded;
}

/** The term of a word in NFKC of a script without spaces: サーバー as サーバ, at most `termLength` long. */
export function dictionaryTermOf(word: string): string {
  if (word.length >= katakanaStemLength && word.endsWith("ー") && isKatakana(word)) {
    return bound(word.slice(0, -1));
  }
  return bound(word);
}

const variation = new RegExp(emojiVariation, "gu");

/** The term of an emoji, whatever its colour of skin or presentation: 👍🏽 as 👍. */
export function emojiTermOf(emoji: string): string {
  return bound(emoji.replace(variation, ""));
}

function bound(word: string): string {
  if (word.length <= termLength) return word;
  const cut = word.slice(0, termLength);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
