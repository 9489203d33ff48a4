// How much a decoded text looks like text that somebody wrote. Bytes read in a wrong encoding give rare characters,
// symbols within words and mixed alphabets.

type Script = "japanese" | "simplifiedChinese" | "traditionalChinese" | "korean";

const scriptOfEncoding: Readonly<Partial<Record<string, Script>>> = {
  shift_jis: "japanese",
  "euc-jp": "japanese",
  gb18030: "simplifiedChinese",
  gbk: "simplifiedChinese",
  big5: "traditionalChinese",
  "euc-kr": "korean",
};

/** The frequent characters of each script: the rows that its national standard sorts first. */
const frequentRows: Readonly<Record<Script, { encoding: string; rows: [number, number]; worth: number }>> = {
  japanese: { encoding: "euc-jp", rows: [0xb0, 0xcf], worth: 0.8 },
  simplifiedChinese: { encoding: "gbk", rows: [0xb0, 0xd7], worth: 0.7 },
  traditionalChinese: { encoding: "big5", rows: [0xa4, 0xc6], worth: 0.7 },
  korean: { encoding: "euc-kr", rows: [0xb0, 0xc8], worth: 0.75 },
};

/**
 * 0 to 1: the mean over all characters above ASCII; 1 if there are none.
 * @param encoding the WHATWG name of the encoding that the text was decoded with
 */
export function plausibility(text: string, encoding: string): number {
  const script = scriptOfEncoding[encoding];
  if (script !== undefined) return plausibilityOfScript(text, script);
  const alphabetic = plausibilityOfAlphabets(text);
  return encoding.startsWith("utf-16")
    ? Math.max(alphabetic, plausibilityOfScript(text, "japanese"))
    : alphabetic;
}

const kana = /[\u3041-\u3096\u309b-\u309e\u30a1-\u30fe]/;
const eastAsianPunctuation =
  /[\u3000-\u301f\uff01-\uff5e\u2010-\u2026\u2460-\u2473\u2190-\u2193\u25a0-\u25ef]/;
/** What “it’s” in windows-1252 looks like in Shift_JIS. */
const ideographAfterLetter = /(?<=[a-z])[\u4e00-\u9fff](?![^\0-\x7f])/g;
const otherIdeograph = /[\u4e00-\u9fff\uac00-\ud7a3]/;

function plausibilityOfScript(text: string, script: Script): number {
  const { worth } = frequentRows[script];
  const frequent = frequentCharacters(script);
  let characters = 0;
  let kanaCount = 0;
  let sum = 0;
  for (const character of text) {
    if (character < "\x80") continue;
    characters++;
    if (frequent.has(character)) sum += worth;
    else if (eastAsianPunctuation.test(character)) sum += worth + 0.1;
    else if (kana.test(character)) {
      kanaCount++;
      sum += script === "japanese" ? 1 : 0.1;
    } else sum += otherIdeograph.test(character) ? 0.2 : 0.1;
  }
  if (characters === 0) return 1;
  // Japanese of some length without a kana is rare, and Chinese or Korean bytes often look like it.
  const withoutKana = script === "japanese" && characters >= 8 && kanaCount * 20 < characters;
  const glued = text.match(ideographAfterLetter)?.length ?? 0;
  return (Math.max(0, sum - glued * worth * 0.6) / characters) * (withoutKana ? 0.9 : 1);
}

const alphabets = ["Latin", "Cyrillic", "Greek", "Hebrew", "Arabic", "Thai"].map(
  (name) => new RegExp(`^[\\p{Script=${name}}\\p{M}]+$`, "u"),
);
const wordsAndTheRest = /[\p{L}\p{M}]+|[^\p{L}\p{M}]+/gu;
const typography =
  /[\u2013\u2014\u2018-\u201e\u2022\u2026\u20ac\u00a0\u00a1\u00a3\u00a7\u00a9\u00ab\u00ae\u00b0\u00b1\u00b7\u00ba\u00aa\u00bb\u00bc-\u00bf\u00d7\u2116]/;

function plausibilityOfAlphabets(text: string): number {
  let characters = 0;
  let sum = 0;
  for (const match of text.matchAll(wordsAndTheRest)) {
    const [run] = match;
    const above = countAboveAscii(run);
    if (above === 0) continue;
    characters += above;
    if (/\p{L}/u.test(run)) sum += above * plausibilityOfWord(run, above);
    else {
      const before = text[match.index - 1];
      const insideWord = run.length === 1 && before !== undefined && match.index + 1 < text.length;
      for (const character of run)
        if (character >= "\x80")
          sum += typography.test(character) && (!insideWord || character === "’") ? 0.8 : 0.1;
    }
  }
  return characters === 0 ? 1 : sum / characters;
}

/** A word is in one alphabet, is not mostly accents, and has no capital after a small letter. */
function plausibilityOfWord(word: string, aboveAscii: number): number {
  const alphabet = alphabets.findIndex((pattern) => pattern.test(word));
  if (alphabet === -1 || /\p{Ll}\p{Lu}/u.test(word)) return 0.1;
  if (alphabet === 0) return aboveAscii * 2 <= word.length + 1 ? 1 : 0.15;
  return /[\p{Ll}\p{Lo}]/u.test(word) ? 0.6 : 0.4;
}

function countAboveAscii(text: string): number {
  let count = 0;
  for (const character of text) if (character >= "\x80") count++;
  return count;
}

const frequentSets = new Map<Script, ReadonlySet<string>>();

function frequentCharacters(script: Script): ReadonlySet<string> {
  let set = frequentSets.get(script);
  if (set === undefined) {
    const { encoding, rows } = frequentRows[script];
    const bytes: number[] = [];
    for (let row = rows[0]; row <= rows[1]; row++)
      for (let cell = 0xa1; cell <= 0xfe; cell++) bytes.push(row, cell);
    set = new Set(new TextDecoder(encoding).decode(Uint8Array.from(bytes)));
    frequentSets.set(script, set);
  }
  return set;
}
