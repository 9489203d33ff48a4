// How likely a chunk is to answer anything: the quality filter hides placeholders and near-empty ones.
import { fold } from "../text/fold.js";

/** What is written instead of a text, folded. */
const placeholders = new RegExp(
  [
    "\\b(?:todo|tbd|tbc|fixme|wip|n/a|xxx+)\\b",
    "\\b(?:coming soon|under construction|work in progress|place ?holder|to be (?:written|added|determined|decided|announced|continued|done|defined|completed))\\b",
    "\\b(?:insert|add|write|enter|your) (?:[a-z]+ ){0,3}(?:text|content|description|title|notes?) here\\b",
    "\\bthis (?:page|section|document) (?:(?:is|was) )?(?:intentionally )?(?:left )?(?:empty|blank)\\b",
    "(?:(?:この|本)?(?:ページ|項目|節|章|文書|記事|セクション)は)?、?(?:現在|ただいま|まだ)?、?(?:未記入|未記載|未作成|未定|準備中|作成中|執筆中|編集中|工事中|整備中|記入予定|記載予定|追記予定|作成予定|後で書く|あとで書く|後日追記|ここに(?:内容|本文|説明|テキスト)?を?(?:記入|入力|記載|書く)|ダミーテキスト|サンプルテキスト)(?:です|する|してください)?",
  ].join("|"),
  "g",
);

/** The words of the filler text that begins with lorem ipsum. */
const filler =
  /\b(?:lorem|ipsum|dolor|sit|amet|consectetur|adipiscing|elit|sed|do|eiusmod|tempor|incididunt|ut|et|labore|dolore|magna|aliqua|enim|ad|minim|veniam|quis|nostrud|exercitation|ullamco|laboris|nisi|aliquip|ex|ea|commodo|consequat|duis|aute|irure|in|reprehenderit|voluptate|velit|esse|cillum|eu|fugiat|nulla|pariatur|excepteur|sint|occaecat|cupidatat|non|proident|sunt|culpa|qui|officia|deserunt|mollit|anim|id|est|laborum)\b/g;

const headingLine = /^ {0,3}#{1,6}(?:[ \t].*)?$/gm;
const underlinedHeading = /^.+\n {0,3}(?:={2,}|-{3,})[ \t]*$/gm;
const fence = /^[ \t>]*(`{3,}|~{3,}).*\n([\s\S]*?)(?:^[ \t>]*\1.*$|$(?![\s\S]))/gm;
const comment = /<!--[\s\S]*?(?:-->|$)/g;
const tag = /<\/?[a-z][^<>]*>/gi;
/** What a reader sees of a tag, or of a component. */
const shownAttribute = /\b(?:title|description|alt|label|summary)=(["'])(.*?)\1/gi;
const link = /!?\[\[[^[\]]*\]\]|!?\[[^[\]]*\]\([^()\s]*(?:\s[^()]*)?\)|<?\bhttps?:\/\/[^\s<>]+>?/g;

/** Below it a chunk is as good as empty: four CJK characters, or two short words. */
const leastWeight = 10;
/** From here on a chunk is as good as any: some fifty English words. */
const fullWeight = 250;
/** What the filter of the default configuration hides is below. */
const hidden = 0.3;

/**
 * From 0 to 1. The weight of a text is its letters and digits, a CJK character counting as 2.5; code counts twice,
 * since a command is short, and a heading half, if there is something under it.
 *
 * - only a heading, or nothing: 0.05
 * - a placeholder (TODO, 準備中, lorem ipsum) with less than 10 besides: 0.1
 * - links with less than 10 besides: 0.2
 * - less than 10 in all: below 0.3, in proportion
 * - else from 0.3 to 1, which is reached at 250
 */
export function chunkQuality(content: string): number {
  const withoutComments = content.replace(comment, " ");
  let code = 0;
  const prose = withoutComments.replace(fence, (_, _fence: string, inside: string) => {
    code += inside.replace(/\s+/g, "").length;
    return " ";
  });
  const body = prose.replace(headingLine, " ").replace(underlinedHeading, " ");
  const heading = weigh(prose) - weigh(body);
  const written = fold(body.replace(tag, tagText));
  if (code === 0 && weigh(written) === 0) return 0.05;
  const besidesLinks = weigh(written.replace(link, " "));
  const weight = code * 2 + weigh(written.replace(link, linkText));
  if (code === 0) {
    if (isPlaceholder(written)) return 0.1;
    if (besidesLinks < leastWeight && besidesLinks < weight) return 0.2;
  }
  const total = weight + Math.min(heading / 2, leastWeight / 2);
  if (total < leastWeight) return round((hidden - 0.01) * (total / leastWeight));
  const share = Math.min(1, (total - leastWeight) / (fullWeight - leastWeight));
  return round(hidden + (1 - hidden) * Math.sqrt(share));
}

function isPlaceholder(text: string): boolean {
  const without = text.replace(placeholders, " ");
  if (without !== text && weigh(without) < leastWeight) return true;
  return text.includes("lorem ipsum") && weigh(text.replace(filler, " ")) < leastWeight;
}

const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const letter = /[\p{L}\p{N}]/u;

function weigh(text: string): number {
  let weight = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) {
      // Digits and letters; setting a bit turns capitals into small letters.
      if ((unit >= 48 && unit <= 57) || ((unit | 32) >= 97 && (unit | 32) <= 122)) weight++;
    } else if ((unit >= 0x4e00 && unit <= 0x9fff) || (unit >= 0x3041 && unit <= 0x3096)) weight += 2.5;
    else {
      const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
      if (letter.test(character)) weight += cjk.test(character) ? 2.5 : 1;
      at += character.length - 1;
    }
  }
  return weight;
}

/** What a reader sees of a link: its words, not its address. */
function linkText(written: string): string {
  return /^!?\[+([^[\]]*)\]/.exec(written)?.[1] ?? " ";
}

function tagText(written: string): string {
  return [...written.matchAll(shownAttribute)].map((attribute) => attribute[2]).join(" ") || " ";
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
