// The one folding for comparison: index, query, tags, globs and phrases use it; what is shown keeps its
// original characters.

/** NFKC (width of kana and Latin letters, composed forms), then lower case. */
export function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase().normalize("NFKC");
}
