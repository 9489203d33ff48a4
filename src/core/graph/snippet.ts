// The beginning of a passage, on one line.
import { shortened } from "../text/shortened.js";

/** Characters of a snippet: two or three lines of a terminal. */
const snippetCharacters = 200;

const headingLine = /^\s*#{1,6}\s[^\n]*(?:\n|$)/u;

/** White space collapsed, without the heading line that stands beside it, cut with "…". */
export function snippetOf(content: string): string {
  const body = content.replace(headingLine, "");
  const text = (body.trim() === "" ? content : body).replace(/\s+/gu, " ").trim();
  return shortened(text, snippetCharacters);
}
