// Characters that no XML may hold. Knows no marks.

/** The text with U+FFFD for each of them that a terminal may be shown; those that it may not are for `printable`. */
export function xmlCharacters(text: string): string {
  return text.replace(/[\uFFFE\uFFFF]|\p{Surrogate}/gu, "\uFFFD");
}
