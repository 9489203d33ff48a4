// The line "title > headings" before a chunk's text: it says what a passage is about that does not say so itself.

/** What of a chunk is analysed and embedded. */
export interface ChunkText {
  readonly title?: string;
  readonly headingPath: readonly string[];
  readonly content: string;
}

/** The content with the line before it; a title that is also the first heading is named once. */
export function withContextLine({ title, headingPath, content }: ChunkText): string {
  const names = title === undefined || title === headingPath[0] ? headingPath : [title, ...headingPath];
  return names.length === 0 ? content : `${names.join(" > ")}\n${content}`;
}
