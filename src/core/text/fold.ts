// The one folding for comparison: index, query, tags, globs and phrases use it; what is shown keeps its
// original characters.

/**
 * NFKC (width of kana and Latin letters, composed forms), then lower case. Both forms of the small sigma become
 * one, so that folding does not depend on where a word ends.
 */
export function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll("ς", "σ").normalize("NFKC");
}
