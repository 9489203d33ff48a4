// Finds passages that quote a golden question nearly word for word: such a document is found by its copy of the
// question, so the question measures nothing. Pure.
import { fold } from "../text/fold.js";

/**
 * Share of a question's shingles that a passage holds from which it counts as a quotation. Measured on two sets whose
 * questions were written with the passage at hand: .9 takes 1 of 200 English and 16 of 200 Japanese questions for a
 * quotation, each a sentence of its passage with a question word at the end; .8 takes 5 and 49.
 */
const quotationShare = 0.9;

/** Characters of a shingle: about two words of a Latin script, or one word and a half of CJK, which has no spaces. */
const shingleCharacters = { latin: 8, cjk: 4 } as const;

/** Shingles below which a question is a few words that anybody would write, "irrigation schedule" or 東京の人口. */
const fewestShingles = { latin: 24, cjk: 10 } as const;

const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/**
 * A function that says how much of a question a passage quotes: the containment |S(question) ∩ S(passage)| /
 * |S(question)| of their shingles, runs of n folded letters and digits (Broder, "On the resemblance and containment of
 * documents", 1997). A few changed words or another punctuation lower it a little, other words in the same order to 0.
 *
 * @returns undefined for a question too short to be quoted by anything but chance; else a function from a passage to the
 * share, 0 to 1, or 0 where it is no quotation
 */
export function quotationOf(question: string): ((passage: string) => number) | undefined {
  const letters = lettersOf(question);
  const script = (letters.match(cjk)?.length ?? 0) * 2 > letters.length ? "cjk" : "latin";
  const size = shingleCharacters[script];
  const shingles = new Set<string>();
  for (let at = 0; at + size <= letters.length; at++) shingles.add(letters.slice(at, at + size));
  if (shingles.size < fewestShingles[script]) return undefined;
  return (passage) => {
    const text = lettersOf(passage);
    let held = 0;
    let left = shingles.size;
    for (const shingle of shingles) {
      if (text.includes(shingle)) held++;
      if (held + --left < quotationShare * shingles.size) return 0;
    }
    return held / shingles.size;
  };
}

/** Folded, without everything that is neither a letter nor a digit. */
function lettersOf(text: string): string {
  return fold(text).replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
}
