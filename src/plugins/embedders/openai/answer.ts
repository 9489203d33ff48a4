// Vets what a server answers: nothing of it is trusted before the vectors are counted, measured and scaled.
import { KbError } from "../../../core/plugin-api.js";
import type { OpenAiOptions } from "./options.js";

/**
 * The vectors of an answer at unit length, in the order of the texts.
 * @throws KbError KB_EMBED_SERVER, KB_EMBED_DIMENSIONS; KB_EMBED_FAILED for a vector without a direction
 */
export function readAnswer(
  answer: unknown,
  count: number,
  { baseUrl, dimensions, model }: OpenAiOptions,
): Float32Array[] {
  const refuse = (what: string): KbError =>
    new KbError("KB_EMBED_SERVER", `${baseUrl} answers ${what}; it does not look like an embedding server`);
  let json = answer;
  if (typeof answer === "string")
    try {
      json = JSON.parse(answer);
    } catch {
      throw refuse("something other than JSON");
    }
  const data = typeof json === "object" && json !== null && "data" in json ? json.data : undefined;
  if (!Array.isArray(data)) throw refuse("without data");
  if (data.length !== count) throw refuse(`${data.length} vectors for ${count} texts`);

  const vectors: (Float32Array | undefined)[] = Array.from({ length: count });
  for (const [position, entry] of (data as unknown[]).entries()) {
    if (typeof entry !== "object" || entry === null || !("embedding" in entry)) throw refuse("no vector");
    const index = "index" in entry ? entry.index : position;
    if (typeof index !== "number" || !(index in vectors) || vectors[index] !== undefined)
      throw refuse("vectors for texts it was not given");
    const numbers: unknown = entry.embedding;
    if (!Array.isArray(numbers)) throw refuse("vectors that are no lists of numbers");
    if (numbers.length !== dimensions)
      throw new KbError(
        "KB_EMBED_DIMENSIONS",
        `${model} answers vectors of ${numbers.length} dimensions, and ${dimensions} are configured`,
      );
    let squares = 0;
    for (const number of numbers as unknown[]) {
      if (typeof number !== "number" || !Number.isFinite(number))
        throw refuse("vectors with no numbers in them");
      squares += number * number;
    }
    const length = Math.sqrt(squares);
    if (length === 0 || !Number.isFinite(length))
      throw new KbError("KB_EMBED_FAILED", `${model} answers a vector without a direction`);
    vectors[index] = Float32Array.from(numbers as number[], (number) => number / length);
  }
  return vectors.filter((vector) => vector !== undefined);
}
