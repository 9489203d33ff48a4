// Cosine similarity in a plain loop.

/** 1 / length, or 0 for a vector that has no direction. */
export function inverseLength(vector: Float32Array): number {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const inverse = 1 / Math.sqrt(sum);
  return Number.isFinite(inverse) ? inverse : 0;
}

/**
 * -1 to 1; 0 where one of them has no direction. Both are of one length.
 * @param inverseLengths the product of both inverse lengths
 */
export function cosine(a: Float32Array, b: Float32Array, inverseLengths: number): number {
  if (inverseLengths === 0) return 0;
  let dot = 0;
  for (let at = 0; at < a.length; at++) dot += (a[at] ?? 0) * (b[at] ?? 0);
  // Rounding may take it past the ends.
  return Math.max(-1, Math.min(1, dot * inverseLengths));
}
