// Asks the golden questions one after the other, as a user's search would, and keeps what the evaluation needs of each.
import { isKbError, KbError } from "../errors.js";
import type { SearchMode, SearchReply } from "../search/search-reply.js";
import type { Search } from "../search/search.js";
import type { Quotation } from "./eval-report.js";
import type { GoldenQuery } from "./golden-set.js";
import { quotationOf } from "./quoted-questions.js";
import { rankingsOf, unitOf, type Rankings } from "./rankings.js";

/** What search said to one question. */
export interface Answer {
  readonly question: GoldenQuery;
  readonly rankings: Rankings;
  readonly relevant: ReadonlySet<string>;
  /** Paths of the documents found, best first, at most three. */
  readonly first: readonly string[];
  readonly mode: SearchMode;
  readonly confidence: number;
  readonly lowConfidence: boolean;
  readonly quotations: readonly Quotation[];
}

/**
 * Passages of the lexical leg that are looked at for a quotation: one holds all words of the question, so it comes
 * first or nearly so.
 */
const quotationDepth = 20;

/** @throws KbError KB_CANCELLED, KB_STORE_* */
export async function askQuestions(
  search: Search,
  questions: readonly GoldenQuery[],
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  try {
    for (const question of questions) {
      onProgress(answers.length);
      const { query, filters } = question;
      answers.push(answerTo(question, await search({ ...filters, query, explain: true }, signal)));
    }
  } catch (error) {
    if (!isKbError(error) || error.code !== "KB_CANCELLED") throw error;
    throw new KbError(
      "KB_CANCELLED",
      `The evaluation was cancelled after ${answers.length} of ${questions.length} questions`,
      { cause: error, hint: "Run it again; nothing of it was kept." },
    );
  }
  onProgress(answers.length);
  return answers;
}

function answerTo(question: GoldenQuery, reply: SearchReply): Answer {
  const { results, mode, confidence, low_confidence: lowConfidence } = reply;
  return {
    question,
    rankings: rankingsOf(results, question.expected),
    relevant: new Set(question.expected.map(unitOf)),
    first: [...new Set(results.map(({ path }) => path))].slice(0, 3),
    mode,
    confidence,
    lowConfidence,
    quotations: quotationsIn(question, results),
  };
}

/** The passage of each document that quotes most of the question. */
function quotationsIn({ query, line }: GoldenQuery, results: SearchReply["results"]): Quotation[] {
  const containmentIn = quotationOf(query);
  if (containmentIn === undefined) return [];
  const byPath = new Map<string, Quotation>();
  for (const { path, content, start_line, explanation } of results) {
    if ((explanation?.lexical?.rank ?? Infinity) > quotationDepth) continue;
    const containment = containmentIn(content);
    if (containment <= (byPath.get(path)?.containment ?? 0)) continue;
    byPath.set(path, { query, line, path, ...(start_line !== undefined && { start_line }), containment });
  }
  return [...byPath.values()];
}
