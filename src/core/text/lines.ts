// The one way to count and split lines: as an editor shows them, whatever the line ending.

const lineBreak = /\r\n?|\n/;
const lineBreaks = /\r\n?|\n/g;

/**
 * The lines of a text without their endings (`\r\n`, `\n` or `\r`). A line break at the very end closes the last
 * line and opens no other: `"a\n"` has one line, `""` has none.
 */
export function splitLines(text: string): string[] {
  const lines = text.split(text.includes("\r") ? lineBreak : "\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** How many lines `splitLines` returns, without making them. */
export function countLines(text: string): number {
  let count = 0;
  let end = 0;
  for (const match of text.matchAll(lineBreaks)) {
    count++;
    end = match.index + match[0].length;
  }
  return end < text.length ? count + 1 : count;
}
