// How much a term says: the rarer, the more.

/**
 * Inverse document frequency as BM25 has it (Robertson and Spärck Jones), never negative: ln(1 + (N - df + 0.5) / (df + 0.5)).
 * @param frequency df, chunks that hold the term; one that runs ahead of `chunks` counts as all of them
 * @param chunks N
 */
export function inverseDocumentFrequency(frequency: number, chunks: number): number {
  const known = Math.min(frequency, chunks);
  return Math.log(1 + (chunks - known + 0.5) / (known + 0.5));
}
