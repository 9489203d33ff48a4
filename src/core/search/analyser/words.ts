// Finds the words of a text. Words of spaced scripts are found by their characters, those of scripts without
// spaces by the dictionary of Intl.Segmenter; Korean, whose particles cling to words, by pairs of syllables.
import { takeApart } from "./identifier.js";
import { dictionary, emoji, hangul, spaced } from "./scripts.js";
import { dictionaryTermOf, emojiTermOf, termLength, termOf } from "./term.js";

/** A word where it stands; offsets are UTF-16 units of the text given, which is in NFKC. */
export interface Word {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  /** "whole": the full spelling of an identifier, besides its parts. */
  readonly kind: "word" | "whole";
}

// A joiner counts only between characters of a word; "." also before one (.NET), "++" and "#" after one (C++, C#).
const written = new RegExp(
  [
    String.raw`(?<emoji>${emoji})`,
    String.raw`(?<dictionary>[${dictionary}]+)`,
    String.raw`(?<hangul>[${hangul}]+)`,
    String.raw`(?<![\p{N},.])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![${spaced},])`,
    String.raw`(?:(?<![${spaced}_.\)\]])\.(?=\p{L}))?${spaced}+(?:(?:_+|[\-.‐'’])${spaced}+)*(?:(?:\+\+|#)(?![${spaced}+#]))?`,
  ].join("|"),
  "gv",
);

// The locale is fixed so that the same text has the same words on every machine.
const segmenter = new Intl.Segmenter("en", { granularity: "word" });

/** Characters given to the segmenter at once: its time grows with the square of the length. */
const segmentLength = 1000;

/** Calls `visit` for every word, in order; an identifier's whole follows its parts. `text` must be in NFKC. */
export function visitWords(text: string, visit: (word: Word) => void): void {
  for (const match of text.matchAll(written)) {
    const start = match.index;
    if (match.groups?.["dictionary"] !== undefined) visitDictionaryWords(match[0], start, visit);
    else if (match.groups?.["emoji"] !== undefined)
      visit({ term: emojiTermOf(match[0]), start, end: start + match[0].length, kind: "word" });
    else if (match.groups?.["hangul"] !== undefined) visitSyllablePairs(match[0], start, visit);
    else visitIdentifier(match[0], start, visit);
  }
}

/** The words of a text in NFKC. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  visitWords(text, (word) => words.push(word));
  return words;
}

function visitIdentifier(written: string, offset: number, visit: (word: Word) => void): void {
  for (const { term, start, end, kind } of identifierWords(written)) {
    visit({ term, start: offset + start, end: offset + end, kind });
  }
}

// Folding and stemming are most of the cost of analysing English, and texts repeat their words.
const cacheSize = 20_000;
const cache = new Map<string, readonly Word[]>();

function identifierWords(written: string): readonly Word[] {
  const known = cache.get(written);
  if (known !== undefined) return known;
  const { parts, wholes } = takeApart(written);
  const words = [
    ...parts.map(({ text, start, end }) => ({ term: termOf(text), start, end, kind: "word" as const })),
    ...wholes.map(({ text, start, end }) => ({ term: termOf(text), start, end, kind: "whole" as const })),
  ];
  if (cache.size >= cacheSize) cache.clear();
  if (written.length <= termLength) cache.set(written, words);
  return words;
}

function visitDictionaryWords(run: string, offset: number, visit: (word: Word) => void): void {
  for (let from = 0; from < run.length; from += segmentLength) {
    const piece = run.slice(from, from + segmentLength);
    for (const { segment, index } of segmenter.segment(piece)) {
      const start = offset + from + index;
      visit({ term: dictionaryTermOf(segment), start, end: start + segment.length, kind: "word" });
    }
  }
}

// 서울 is then found in 서울에서. Pairs of syllables do about as well as morphology in Korean retrieval.
function visitSyllablePairs(run: string, offset: number, visit: (word: Word) => void): void {
  if (run.length === 1) visit({ term: run, start: offset, end: offset + 1, kind: "word" });
  for (let at = 0; at + 2 <= run.length; at++) {
    visit({ term: run.slice(at, at + 2), start: offset + at, end: offset + at + 2, kind: "word" });
  }
}
