// What the model is given of a text, and whether it can read that at all. Pure; does not need the model.

/**
 * UTF-16 units of a text that are embedded. The model reads 128 tokens, 400 to 480 English characters; on the
 * retrieval sets 300 did as well and take two thirds of the time.
 */
export const cutLength = 300;

/**
 * Largest share of unreadable characters that is still embedded. On the retrieval sets English texts have at most
 * .01, and 99 in 100 Japanese questions .40 and more.
 */
export const maxUnreadableShare = 0.3;

/**
 * The characters of the model's vocabulary, apart from the few of other scripts: it has some letters each of
 * Cyrillic, Greek, Arabic and Devanagari, but no words, and gives unrelated texts in them a cosine of .9.
 */
const readableCharacter =
  /[!-~¡£«®°±·»¿É×àáâãäåæçèéêëìíñòóôöøùúüāćıōš–—‘’‚“”•′⁄€→−√∫═▀▁▄█░▒▬►★♥]|\u0301|\u0304|\u0308/u;

const latinLetter = /[A-Za-z]/;

/** Whether the vocabulary covers a character (one code point); see `maxUnreadableShare`. */
export function isReadable(character: string): boolean {
  return readableCharacter.test(character);
}

/** Share of characters, white space not counted, that the vocabulary does not cover; 1 for a text without any. */
function unreadableShare(text: string): number {
  let characters = 0;
  let unreadable = 0;
  for (const character of text) {
    if (character === " ") continue;
    characters++;
    if (!isReadable(character)) unreadable++;
  }
  return characters === 0 ? 1 : unreadable / characters;
}

/**
 * The text as the model is given it, or null if it cannot read it: too much of another script, no Latin letter at
 * all (numbers and rules alone get arbitrary vectors), or nothing.
 */
export function prepareText(text: string): string | null {
  // The first cut only bounds the work on long texts. The tokenizer applies NFKC too, and knows no white space but
  // the space.
  const collapsed = text
    .trimStart()
    .slice(0, 4 * cutLength)
    .normalize("NFKC")
    .replace(/\s+/g, " ")
    .trim();
  const cut = collapsed
    .slice(0, cutLength)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd();
  return latinLetter.test(cut) && unreadableShare(cut) <= maxUnreadableShare ? cut : null;
}
