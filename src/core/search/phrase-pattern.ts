// Where a word or phrase stands in a folded text, as a regular expression that stores and JavaScript read alike.
import { fold } from "../text/fold.js";

/** Scripts that are written without spaces: a word of theirs is found inside of longer ones. */
const joined = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}`;
const isJoined = new RegExp(`[${joined}ー]`, "u");
const isPartOfWord = /[\p{L}\p{M}\p{N}]/u;

/**
 * Matches in a folded text that holds the phrase: as whole words where words have spaces between them, and anywhere in
 * Japanese, Chinese and Korean. White space in the phrase is any white space.
 */
export function phrasePattern(phrase: string): string {
  const folded = fold(phrase).trim();
  const characters = Array.from(folded);
  const body = folded
    .split(/\s+/u)
    .map((word) => word.replace(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`))
    .join(String.raw`\s+`);
  const edge = (character: string | undefined, outside: "^" | "$"): string =>
    character !== undefined && isPartOfWord.test(character) && !isJoined.test(character)
      ? String.raw`(?:${outside}|[^\p{L}\p{M}\p{N}]|[${joined}])`
      : "";
  return `${edge(characters[0], "^")}${body}${edge(characters.at(-1), "$")}`;
}
