// The parts of what a run depends on. Loads nothing: the command line shows them in its help.

/** The parts, with what they are called. */
export const fingerprintParts = {
  questions: "the golden questions",
  settings: "the search settings",
  model: "the embedding model",
  analyser: "the text analysis",
  chunker: "the chunking",
  documents: "the documents",
} as const;

export type FingerprintPart = keyof typeof fingerprintParts;

/** The parts across which runs may be compared where that is asked for: the same questions are always needed. */
export const crossableParts = (Object.keys(fingerprintParts) as FingerprintPart[]).filter(
  (part) => part !== "questions",
);
