// Where a word or phrase stands in a folded text, as a regular expression that stores and JavaScript read alike.
import { fold } from "../text/fold.js";

/** Scripts whose words are found inside of longer ones: they are written without spaces, or particles cling to them. */
const joined = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const isJoined = new RegExp(`[${joined}ー]`, "u");
const isPartOfWord = /[\p{L}\p{M}\p{N}]/u;

/**
 * Matches in a folded text that holds the phrase: as whole words where words have spaces between them, and anywhere in
 * Japanese, Chinese and Korean. White space in the phrase is any white space.
 */
export function phrasePattern(phrase: string): string {
  return pattern(fold(phrase), "(?:", "(?:");
}

/** Matches just the phrase, in a text in NFKC as it is written. */
export function phraseSpans(phrase: string): RegExp {
  return new RegExp(pattern(phrase.normalize("NFKC"), "(?<=", "(?="), "giu");
}

function pattern(phrase: string, before: string, after: string): string {
  const folded = phrase.trim();
  const characters = Array.from(folded);
  const body = folded
    .split(/\s+/u)
    .map((word) => word.replace(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`))
    .join(String.raw`\s+`);
  const edge = (character: string | undefined, group: string, outside: "^" | "$"): string =>
    character !== undefined && isPartOfWord.test(character) && !isJoined.test(character)
      ? String.raw`${group}${outside}|[^\p{L}\p{M}\p{N}]|[${joined}])`
      : "";
  return `${edge(characters[0], before, "^")}${body}${edge(characters.at(-1), after, "$")}`;
}
