// Cuts text to a number of columns, for places that have only so much room.
import { columnsOf } from "./columns.js";

/** The beginning of a text, with "…" where it was cut. */
export function shortenedEnd(text: string, columns: number): string {
  return columnsOf(text) <= columns ? text : `${taken(Array.from(text), columns - 1).join("")}…`;
}

/** The end of a text, where the name of a file stands in its path. */
export function shortenedStart(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  return `…${taken(Array.from(text).reverse(), columns - 1)
    .reverse()
    .join("")}`;
}

/** A text in lines of at most so many columns, broken at blanks where there are some. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const piece of text.match(/[!-~]+ ?|[^!-~]/gu) ?? []) {
    if (columnsOf(line + piece.trimEnd()) > columns && line !== "") {
      lines.push(line.trimEnd());
      line = "";
    }
    line += piece;
  }
  return line.trim() === "" ? lines : [...lines, line.trimEnd()];
}

function taken(characters: readonly string[], columns: number): string[] {
  let left = columns;
  const over = characters.findIndex((character) => (left -= columnsOf(character)) < 0);
  return over < 0 ? [...characters] : characters.slice(0, over);
}
