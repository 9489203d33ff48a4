// The beginning of a passage, on one line.

/** Characters of a snippet: two or three lines of a terminal. */
const snippetCharacters = 200;

const headingLine = /^\s*#{1,6}\s[^\n]*(?:\n|$)/u;

/** White space collapsed, without the heading line that stands beside it, cut with "…". */
export function snippetOf(content: string): string {
  const body = content.replace(headingLine, "");
  const text = (body.trim() === "" ? content : body).replace(/\s+/gu, " ").trim();
  return shortened(text, snippetCharacters);
}

/** At most so many characters; what is cut ends in "…". */
export function shortened(text: string, most: number): string {
  // A character is at most two units: what is cut off here is not shown.
  const characters = Array.from(text.slice(0, 2 * most + 2));
  if (characters.length <= most) return text;
  return `${characters.slice(0, Math.max(0, most - 1)).join("")}…`;
}
