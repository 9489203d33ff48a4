// From what was typed to what both legs, the confidence and the match spans need. No query is a syntax error.
import { KbError } from "../errors.js";
import { limits } from "../limits.js";
import type { ChunkFilter, TextQuery } from "../plugin-api.js";
import { fold } from "../text/fold.js";
import { bigramsOf } from "./analyser/bigrams.js";
import { isQuestionWord } from "./analyser/question-words.js";
import { isHiragana } from "./analyser/scripts.js";
import { isStopWord } from "./analyser/stop-words.js";
import { phrasePattern } from "./phrase-pattern.js";
import { parseQuery } from "./query-language.js";
import { wordsOf, type Word } from "./analyser/words.js";

/** How much a term says about what is looked for: a question word (何年), hiragana only (から), a name such as E0382, or others. */
export type TermKind = "question" | "hiragana" | "identifier" | "content";

export interface QueryTerm {
  /** A term of the `text` field. */
  readonly term: string;
  readonly kind: TermKind;
}

export interface CompiledQuery {
  /** For the embedder and the reranker: as typed, white space collapsed, without exclusions. */
  readonly text: string;
  readonly textQuery: TextQuery;
  /** The distinct words; an identifier stands there by its parts. */
  readonly terms: readonly QueryTerm[];
  /** Every distinct term of the `text` field, the wholes of identifiers included. */
  readonly textTerms: readonly string[];
  /** The distinct terms of the `bigrams` field. */
  readonly bigrams: readonly string[];
  /** What a passage must and must not hold, in either leg. */
  readonly conditions: Pick<ChunkFilter, "contentIncludes" | "contentExcludes">;
  /** Phrases that it must hold, as written. */
  readonly phrases: readonly string[];
  /** Words and phrases that a passage must not hold, as written. */
  readonly excluded: readonly string[];
}

/**
 * Weights of the fields in the sum of their BM25. Ten sets of English, Japanese and mixed questions gave a mean
 * nDCG@10 of .733 for the text alone, .751 with the title field and .755 with the bigrams. Bigrams of a higher
 * weight outvote words.
 */
const weights = { text: 1, title: 0.4, bigrams: 0.15 } as const;

/**
 * Words in hiragana only are mostly particles and endings, what stop words are in English. Some are not, so they count
 * half instead of nothing: .002 nDCG@10 more on 1,500 Japanese questions, and no less on four other sets.
 */
const hiraganaShare = 0.5;

/**
 * Who names an error code, a key or a version looks for that: three times the weight of another word. Of 19 codes in the
 * sample notes, asked for in four sentences such as "the display shows E0301, what should I do?", the right note came first
 * for .13 without it and for all with it; twice the weight lost one in twenty of them in two. No other set moved.
 */
const identifierShare = 3;

/** @throws KbError KB_SEARCH_QUERY if the query is too long or holds no word */
export function compileQuery(query: string): CompiledQuery {
  const bytes = Buffer.byteLength(query);
  if (bytes > limits.queryBytes) {
    throw new KbError(
      "KB_SEARCH_QUERY",
      `The query is ${bytes} bytes long; at most ${limits.queryBytes} are allowed`,
      { hint: "Ask with the few words that matter, or split the question into several searches." },
    );
  }
  const typed = query.replace(/\s+/gu, " ").trim();
  if (typed === "") throw new KbError("KB_SEARCH_QUERY", "The query is empty");
  const { text: normalized, phrases, excluded } = parseQuery(typed.normalize("NFKC"));
  if (normalized === "" && excluded.length > 0)
    throw new KbError("KB_SEARCH_QUERY", "The query holds only exclusions", {
      hint: `Add what to look for, for example "backup -${excluded[0] ?? ""}".`,
    });
  const text = phrases.length + excluded.length === 0 ? typed : normalized;
  const words = tellingWords(normalized);
  if (words.length === 0) {
    throw new KbError("KB_SEARCH_QUERY", "The query holds no word, only punctuation or symbols");
  }
  const textTerms = distinct(words.map(({ term }) => term));
  const bigrams = distinct(bigramsOf(normalized, { singleHan: false }));
  return {
    text,
    textQuery: {
      clauses: [
        ...wordClauses("text", textTerms),
        ...wordClauses("title", textTerms),
        { field: "bigrams", terms: bigrams, weight: weights.bigrams },
      ],
    },
    terms: distinct(words.filter(({ kind }) => kind === "word").map(({ term }) => term)).map((term) => ({
      term,
      kind: kindOf(term),
    })),
    textTerms,
    bigrams,
    conditions: {
      ...(phrases.length > 0 && { contentIncludes: phrases.map(phrasePattern) }),
      ...(excluded.length > 0 && { contentExcludes: excluded.map(phrasePattern) }),
    },
    phrases,
    excluded,
  };
}

function wordClauses(field: "text" | "title", terms: readonly string[]): TextQuery["clauses"] {
  const shareOf = (term: string): number =>
    isHiragana(term) ? hiraganaShare : isIdentifier(term) ? identifierShare : 1;
  return [1, hiraganaShare, identifierShare].flatMap((share) => {
    const alike = terms.filter((term) => shareOf(term) === share);
    return alike.length > 0 ? [{ field, terms: alike, weight: weights[field] * share }] : [];
  });
}

/** The words without stop words, or all of them if there are no others ("the who"). */
function tellingWords(normalized: string): Word[] {
  const words = wordsOf(normalized);
  // In "IT policy" IT is a name; in a query typed in capitals it may be a pronoun.
  const hasLowerCase = /\p{Ll}/u.test(normalized);
  const telling = words.filter(({ start, end }) => {
    const written = normalized.slice(start, end);
    return !isStopWord(fold(written)) || (hasLowerCase && /^\p{Lu}{2,}$/u.test(written));
  });
  return telling.length > 0 ? telling : words;
}

function kindOf(term: string): TermKind {
  if (isQuestionWord(term)) return "question";
  if (isIdentifier(term)) return "identifier";
  return isHiragana(term) ? "hiragana" : "content";
}

/** E0382, k8s, v1.2, max_retries, kb-mcp.toml, 0x80070005; not 20th, 1990s or a number. */
function isIdentifier(term: string): boolean {
  return /^\p{L}.*\p{N}|^0x\p{N}|\p{L}.*[_.].*\p{L}/u.test(term);
}

function distinct(terms: readonly string[]): string[] {
  return [...new Set(terms)];
}
