// English words that a question is made of and that say nothing about its answer. They are indexed and left out
// of queries only.

/**
 * Articles, pronouns, auxiliaries, question words, and the prepositions and conjunctions without a sense of their
 * own: a part of the Snowball project's English stop word list (snowballstem.org/algorithms/english/stop.txt), and
 * what its contractions leave when their ending is cut off ("don't": "don"). Words that can carry the sense of a
 * technical question (not, no, up, off, over, before, between, all, same, ...) are left in: on four test sets that cost
 * nothing.
 */
const stopWords = new Set(
  `
  a an the this that these those there here
  i me my mine myself we us our ours ourselves you your yours yourself yourselves
  he him his himself she her hers herself it its itself they them their theirs themselves
  what which who whom whose when where why how
  am is are was were be been being have has had having do does did doing done
  can could will would shall should may might must ought
  and but or nor if because as while so than then
  of at by for with about into to from in on
  don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn mustn
  `
    .trim()
    .split(/\s+/),
);

/** Whether a folded, unstemmed English word is a stop word. */
export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}
