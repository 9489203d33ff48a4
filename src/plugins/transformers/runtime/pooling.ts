// Makes one vector of the vectors that a model gives for the tokens of a text. Pure. It always has length 1, whatever the
// model's card says: vectors are compared by their direction, and the interface promises it.
import type { Pooling } from "./messages.js";

/**
 * @param hidden the vectors of the tokens, one after the other
 * @param tokens tokens of the text, padding not counted
 * @returns null where the result is not a number or has no direction
 */
export function poolTokens(
  hidden: Float32Array,
  tokens: number,
  { pooling, dimensions }: { pooling: Pooling; dimensions: number },
): Float32Array | null {
  const vector = new Float32Array(dimensions);
  const counted = pooling === "cls" ? 1 : tokens;
  for (let token = 0; token < counted; token++)
    for (let i = 0; i < dimensions; i++)
      vector[i] = (vector[i] ?? 0) + (hidden[token * dimensions + i] ?? 0) / counted;
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (!(squares > 0 && Number.isFinite(squares))) return null;
  const length = Math.sqrt(squares);
  for (let i = 0; i < dimensions; i++) vector[i] = (vector[i] ?? 0) / length;
  return vector;
}
