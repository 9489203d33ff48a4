// Which characters belong to which kind of script, as classes for regular expressions with the `v` flag.
// All of them are applied to text in NFKC.

/** Han and kana, with the long-vowel mark, 〆 and the combining voicing marks. */
export const chineseJapanese = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30FC\u3006\u3099\u309A`;

export const hangul = String.raw`\p{Script=Hangul}`;

/** Scripts without spaces whose words Intl.Segmenter finds in a dictionary. */
export const dictionary = `${chineseJapanese}${String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`}`;

/** Letters, digits and marks of the scripts that put spaces between words. */
export const spaced = String.raw`[[\p{L}\p{N}\p{M}]--[${dictionary}${hangul}]]`;

/**
 * Scripts whose words are found inside of longer ones: they are written without spaces, or particles cling to them. Also
 * for regular expressions that stores read.
 */
export const joinedScripts = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;

/** Presentation and colour of skin of an emoji, themselves and not by name: stores read them too. */
export const emojiVariation = "[\uFE0E\uFE0F\u{1F3FB}-\u{1F3FF}]";

const pictograph = String.raw`\p{Extended_Pictographic}${emojiVariation}*`;

/** One emoji with what varies or joins it; flags are pairs of regional indicators, or spelled in tags. */
export const emoji = String.raw`\p{Regional_Indicator}{2}|${pictograph}(?:[\u{E0020}-\u{E007E}]+\u{E007F}|(?:\u200D${pictograph})*)`;

const hiraganaOnly = /^(?:[\p{Script=Hiragana}\u30FC]|\u3099|\u309A)+$/u;
const katakanaOnly = /^(?:[\p{Script=Katakana}\u30FC]|\u3099|\u309A)+$/u;
const han = /^\p{Script=Han}/u;

export const isHiragana = (text: string): boolean => hiraganaOnly.test(text);
export const isKatakana = (text: string): boolean => katakanaOnly.test(text);
export const isHan = (character: string): boolean => han.test(character);
