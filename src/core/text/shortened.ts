// Cuts a text to a size. Knows no place that has only so much room.

/**
 * The text if its size is at most `most`, else as much of its beginning as leaves room for the "…" that follows.
 * @param sizeOf size of a character, 1 if absent
 */
export function shortened(
  text: string,
  most: number,
  sizeOf: (character: string) => number = () => 1,
): string {
  let size = 0;
  let end = 0;
  for (const character of text) {
    size += sizeOf(character);
    if (size > most) return `${text.slice(0, end)}…`;
    if (size < most) end += character.length;
  }
  return text;
}
