// What may be written in a query beside words: "an exact phrase", and -word or -"a phrase" to exclude. Everything that
// does not have exactly this form is text: no query is a syntax error.

import { emoji, emojiVariation, joinedScripts } from "./analyser/scripts.js";

export interface ParsedQuery {
  /** What is looked for: the query without exclusions and without the quotes of phrases. */
  readonly text: string;
  /** Phrases that a passage must hold, as written. */
  readonly phrases: readonly string[];
  /** Words and phrases that it must not hold, as written. */
  readonly excluded: readonly string[];
}

/**
 * A phrase, or a single hyphen at the beginning of a word or a phrase. The hyphen stands after white space or first of
 * all, and directly before what it excludes: "--flag", "- item" and "ABC-204" are text. A quotation mark without a
 * second one is text, and so is one that stands for inches.
 */
const operator = new RegExp(
  [
    String.raw`(?<=^|\s)-"(?<excludedPhrase>[^"]*)"(?=$|[\s\p{P}${joinedScripts}])`,
    String.raw`(?<=^|[\s\p{P}${joinedScripts}])"(?<phrase>[^"]*)"(?=$|[\s\p{P}${joinedScripts}])`,
    String.raw`(?<=^|\s)-(?<excludedWord>(?:(?:\.(?=\p{L}))?[\p{L}\p{N}]|${emoji})[^\s"、。]*)`,
  ].join("|"),
  "gv",
);

const wordCharacter = new RegExp(String.raw`[\p{L}\p{N}]|${emoji}`, "v");
const behindWord = new RegExp(
  String.raw`[^\p{L}\p{N}+#\p{Extended_Pictographic}\p{Regional_Indicator}${emojiVariation}\u{E0020}-\u{E007F}]+$`,
  "v",
);

/** @param query in NFKC, white space collapsed */
export function parseQuery(query: string): ParsedQuery {
  const phrases: string[] = [];
  const excluded: string[] = [];
  // Some keyboards write quotation marks in pairs of their own.
  const straight = query.replace(/[“”„‟]/gu, '"');
  let text = "";
  let end = 0;
  for (const match of straight.matchAll(operator)) {
    const { phrase, excludedPhrase, excludedWord } = match.groups ?? {};
    // A full stop or a bracket behind a word is the sentence's; "C++" and "C#" are words.
    const meant = (phrase ?? excludedPhrase ?? excludedWord?.replace(behindWord, "") ?? "").trim();
    if (!wordCharacter.test(meant)) continue;
    (phrase === undefined ? excluded : phrases).push(meant);
    text += `${straight.slice(end, match.index)} ${phrase === undefined ? "" : meant} `;
    end = match.index + match[0].length;
  }
  text += straight.slice(end);
  return { text: text.replace(/\s+/gu, " ").trim(), phrases, excluded };
}
