// Where a word or phrase stands in a folded text, as a regular expression that stores and JavaScript read alike.
import { fold } from "../text/fold.js";
import { emojiVariation, joinedScripts } from "./analyser/scripts.js";

const isJoined = new RegExp(`[${joinedScripts}ー]`, "u");
const isPartOfWord = /[\p{L}\p{M}\p{N}]/u;
const variations = new RegExp(emojiVariation, "gu");

/**
 * Matches in a folded text that holds the phrase: as whole words where words have spaces between them, and anywhere in
 * scripts without spaces and in Korean. White space in the phrase is any white space, an emoji stands for it in any colour.
 */
export function phrasePattern(phrase: string): string {
  return pattern(fold(phrase), "(?:", "(?:");
}

/** Matches just the phrase, in a text in NFKC as it is written. */
export function phraseSpans(phrase: string): RegExp {
  return new RegExp(pattern(phrase.normalize("NFKC"), "(?<=", "(?="), "giu");
}

function pattern(phrase: string, before: string, after: string): string {
  const folded = phrase.replace(variations, "").trim();
  const characters = Array.from(folded);
  const body = folded
    .split(/\s+/u)
    .map((word) => word.replace(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`))
    .map((word) => word.replace(/\p{Extended_Pictographic}/gu, `$&${emojiVariation}*`))
    .join(String.raw`\s+`);
  const edge = (character: string | undefined, group: string, outside: "^" | "$"): string =>
    character !== undefined && isPartOfWord.test(character) && !isJoined.test(character)
      ? String.raw`${group}${outside}|[^\p{L}\p{M}\p{N}]|[${joinedScripts}])`
      : "";
  return `${edge(characters[0], before, "^")}${body}${edge(characters.at(-1), after, "$")}`;
}
