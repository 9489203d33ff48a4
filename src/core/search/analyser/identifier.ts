// Words that are made of words: snake_case, camelCase, kb-mcp.toml, HN-204, C++, .NET. They are found whole and by part.

/** A part of a written word; offsets are relative to that word. */
export interface WordPart {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A written word taken apart. */
export interface Identifier {
  /** Its words, in order. */
  readonly parts: readonly WordPart[];
  /** Spellings of the whole or of several parts together, where they differ from a part. */
  readonly wholes: readonly WordPart[];
}

const joiner = /_+|[-.‐'’]/g;
const contraction = /['’](?:s|t|d|m|re|ve|ll)$/i;
const groupedDigits = /^\d{1,3}(?:,\d{3})+/;
const decimal = /^\d+(?:\.\d+)+$/;
const initials = /^\p{L}(?:\.\p{L})+$/u;
const pluralInitials = /^\p{Lu}{2,}s$/u;
const hump = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{N})(?=\p{Lu}\p{Ll})/u;

/** Takes a written word apart; it holds no white space and is in NFKC. */
export function takeApart(word: string): Identifier {
  if (groupedDigits.test(word)) return { parts: [whole(word, word.replaceAll(",", ""))], wholes: [] };
  const body = word.replace(contraction, "");
  if (decimal.test(body)) return { parts: [whole(body, body)], wholes: [] };
  if (initials.test(body)) return { parts: [whole(body, body.replaceAll(".", ""))], wholes: [] };

  const parts: WordPart[] = [];
  const wholes: WordPart[] = [];
  let start = 0;
  let pieces = 0;
  const piece = (end: number): void => {
    const text = body.slice(start, end).replace(/[+#]+$/, "");
    if (text === "") return;
    pieces += 1;
    const before = parts.length;
    parts.push(...humps(text, start));
    if (parts.length - before > 1) wholes.push({ text, start, end: start + text.length });
  };
  for (const match of body.matchAll(joiner)) {
    piece(match.index);
    start = match.index + match[0].length;
  }
  piece(body.length);
  if (pieces > 1 || /^\.|[+#]$/.test(body)) {
    wholes.push(whole(body, body.replaceAll("‐", "-").replaceAll("’", "'")));
  }
  return { parts, wholes };
}

const whole = (word: string, text: string): WordPart => ({ text, start: 0, end: word.length });

function humps(text: string, start: number): WordPart[] {
  if (pluralInitials.test(text)) return [{ text, start, end: start + text.length }];
  let at = start;
  return text.split(hump).map((part) => ({ text: part, start: at, end: (at += part.length) }));
}
