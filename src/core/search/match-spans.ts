// Where the words of a query stand in a text that is shown. Offsets are UTF-16 units of that text as it is.
import { limits } from "../limits.js";
import { normalizeWithOffsets } from "../text/normalized-text.js";
import { isHan, isKatakana } from "./analyser/scripts.js";
import { visitWords } from "./analyser/words.js";
import type { CompiledQuery } from "./compile-query.js";
import { phraseSpans } from "./phrase-pattern.js";

/** [start, end) */
export type Span = [start: number, end: number];

/** What is marked: words by their term, CJK words wherever they stand, inside of longer words too, and phrases. */
export interface Marks {
  readonly terms: ReadonlySet<string>;
  readonly fragments: RegExp | undefined;
  readonly phrases: readonly RegExp[];
}

/** UTF-16 units that are looked through; passages are far shorter, expanded ones may not be. */
const scanLength = 50_000;

/** What to mark for a query. Question words and words in hiragana only are marked if there is nothing else. */
export function marksOf(query: CompiledQuery): Marks {
  const light = new Set(
    query.terms.filter(({ kind }) => kind === "question" || kind === "hiragana").map(({ term }) => term),
  );
  const content = query.textTerms.filter((term) => !light.has(term));
  const terms = content.length > 0 ? content : query.textTerms;
  const bigrams = new Set(query.bigrams);
  // A single kanji is looked for inside words only if it was typed by itself.
  const fragments = terms.filter(
    (term) => isKatakana(term) || (isHan(term) && (term.length > 1 || bigrams.has(term))),
  );
  return {
    terms: new Set(terms),
    // The long-vowel mark that a term has lost belongs to the word.
    fragments:
      fragments.length > 0
        ? new RegExp(`(?:${fragments.sort((a, b) => b.length - a.length).join("|")})ー?`, "gu")
        : undefined,
    phrases: query.phrases.map(phraseSpans),
  };
}

/** The stretches of `content` that match, sorted, disjoint, adjacent ones joined, at most `limits.matchSpans`. */
export function matchSpans(content: string, { terms, fragments, phrases }: Marks): Span[] {
  const { text, originalStart, originalEnd } = normalizeWithOffsets(content.slice(0, scanLength));
  const found: Span[] = [];
  visitWords(text, ({ term, start, end }) => {
    if (terms.has(term)) found.push([start, end]);
  });
  for (const pattern of fragments === undefined ? phrases : [fragments, ...phrases])
    for (const match of text.matchAll(pattern)) found.push([match.index, match.index + match[0].length]);
  return joined(found.map(([start, end]) => [originalStart(start), originalEnd(end - 1)]));
}

/** The part of spans that lies in the first `length` units. */
export function clipSpans(spans: readonly Span[], length: number): Span[] {
  return spans
    .filter(([start]) => start < length)
    .map(([start, end]): Span => [start, Math.min(end, length)]);
}

function joined(found: Span[]): Span[] {
  const spans: Span[] = [];
  for (const [start, end] of found.sort((a, b) => a[0] - b[0])) {
    const last = spans.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else if (spans.length === limits.matchSpans) break;
    else spans.push([start, end]);
  }
  return spans;
}
