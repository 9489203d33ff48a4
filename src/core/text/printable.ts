// Text of documents and names of files as a terminal may be shown them. Nothing else makes text fit for a terminal.

/**
 * What a terminal acts on instead of showing it: control characters except the tab, the separators that some take for
 * a new line, and the marks that turn the direction of the text around them.
 */
const unprintable = /(?!\t)[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

/** A text for one line: everything a terminal acts on is escaped as in JSON, line ends too. */
export function printable(text: string): string {
  return text.replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The same for a message of several lines, which stay. */
export function printableLines(text: string): string {
  return text
    .split(/\r?\n/u)
    .map((line) => printable(line))
    .join("\n");
}
