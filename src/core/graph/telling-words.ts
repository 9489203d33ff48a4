// What passages say in words: the query that finds others which say the same, and the scale of its scores.
import type { TextQuery, VectorStore } from "../plugin-api.js";
import { withContextLine, type ChunkText } from "../search/analyser/context-line.js";
import { isHiragana } from "../search/analyser/scripts.js";
import { isStopWord } from "../search/analyser/stop-words.js";
import { wordsOf } from "../search/analyser/words.js";
import { roundScore } from "../search/fusion.js";
import { inverseDocumentFrequency } from "../search/idf.js";
import { fold } from "../text/fold.js";

/** Words of a passage that are looked for; precision rises up to 32 and stays there (1,145 Japanese paragraphs). */
const wordsMax = 32;

/** k1 of BM25: how fast repeating a word stops to count. */
const saturation = 1.2;

/**
 * Weight of words that nobody has: without it a passage of three words in all would be "the same" as every one that
 * holds them. 10 raised precision from .60 to .65 at a similarity of .6, and cost a sixth of the connections.
 */
const priorMass = 10;

const letter = /\p{L}/u;

/** A query made of passages. */
export interface WordsQuery {
  readonly query: TextQuery;
  /** The similarity that a BM25 score of the query stands for, 0 to 1, of four decimals. */
  similarity(score: number): number;
}

/**
 * The most telling words of passages, taken together: the 32 of most weight, among those that another passage has too.
 * Stop words, words in hiragana only, and terms without any letter (numbers, dates) never tell anything. With N chunks,
 *
 *     idf(t)     = ln(1 + (N - df + 0.5) / (df + 0.5))
 *     weight(t)  = idf(t) * tf * 2.2 / (tf + 1.2), tf in the passages
 *     share      = BM25 / (sum of idf of the words + 10)
 *     similarity = share ^ (1/4), at most 1
 *
 * A chunk of average length that holds every word once has a BM25 of the sum of their idf, so `share` says how much of
 * what the passages name it names too. The fourth root brings it to the scale of the bundled model's cosine: at a
 * similarity of .55 the share of related passages is .51 by words and .52 by meaning, at .6 .65 and .57.
 *
 * @returns undefined if nothing they say occurs elsewhere
 */
export async function tellingWords(
  store: VectorStore,
  passages: readonly ChunkText[],
  chunks: number,
): Promise<WordsQuery | undefined> {
  const counts = countWords(passages);
  const terms = [...counts.keys()];
  if (terms.length === 0) return undefined;
  const frequencies = await store.documentFrequencies(terms);
  const telling = terms
    .map((term, index) => {
      const frequency = Math.min(frequencies[index] ?? 0, chunks);
      const count = counts.get(term) ?? 0;
      const rarity = inverseDocumentFrequency(frequency, chunks);
      return { term, frequency, rarity, weight: (rarity * count * (saturation + 1)) / (count + saturation) };
    })
    .filter(({ frequency }) => frequency > 1)
    .sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1))
    .slice(0, wordsMax);
  if (telling.length === 0) return undefined;
  const mass = telling.reduce((sum, { rarity }) => sum + rarity, 0) + priorMass;
  return {
    query: { clauses: [{ field: "text", terms: telling.map(({ term }) => term), weight: 1 }] },
    similarity: (score) => roundScore(Math.min(1, Math.max(0, score / mass) ** (1 / 4))),
  };
}

function countWords(passages: readonly ChunkText[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const passage of passages) {
    const text = withContextLine(passage).normalize("NFKC");
    for (const { term, start, end } of wordsOf(text)) {
      if (!letter.test(term) || isHiragana(term) || isStopWord(fold(text.slice(start, end)))) continue;
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
  }
  return counts;
}
