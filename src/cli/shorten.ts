// Cuts text to a number of columns, for places that have only so much room.
import { shortened } from "../core/text/shortened.js";
import { columnsOf } from "./columns.js";

/** The beginning of a text, with "…" where it was cut. */
export function shortenedEnd(text: string, columns: number): string {
  return shortened(text, columns, columnsOf);
}

/** The end of a text, where the name of a file stands in its path. */
export function shortenedStart(text: string, columns: number): string {
  return backwards(shortened(backwards(text), columns, columnsOf));
}

function backwards(text: string): string {
  return Array.from(text).reverse().join("");
}

/** A text in lines of at most so many columns, broken at blanks; a word longer than a line is broken too. */
export function wrapped(text: string, columns: number): string[] {
  const pieces = new RegExp(`[!-~]{1,${columns}} ?|[^!-~]`, "gu");
  const lines: string[] = [];
  let line = "";
  for (const [piece] of text.matchAll(pieces)) {
    if (columnsOf(line + piece.trimEnd()) > columns && line !== "") {
      lines.push(line.trimEnd());
      line = "";
    }
    line += piece;
  }
  return line.trim() === "" ? lines : [...lines, line.trimEnd()];
}
