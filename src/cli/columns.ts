// Text in columns of a terminal, where the characters of Chinese, Japanese and Korean take two.

const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/gu;
const widthless = /[\p{Mn}\p{Me}\p{Cf}]/gu;

/** The columns that a text takes. */
export function columnsOf(text: string): number {
  return Array.from(text.replace(widthless, "")).length + (text.match(wide)?.length ?? 0);
}

/** A text with blanks after it, up to a number of columns. */
export function padded(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}
