// Japanese question words. English ones are stop words and never reach the terms of a query.

const questionWord =
  /^(?:何.*|誰|だれ|どなた|どこ|何処|どちら|どっち|いつ|なぜ|なに|なん|どの|どれ|どんな|どう|どうして|どうやって|どのくらい|どれくらい|いくつ|幾つ|いくら)$/u;

/** Whether a term asks (何年, どこ) instead of naming something. */
export function isQuestionWord(term: string): boolean {
  return questionWord.test(term);
}
