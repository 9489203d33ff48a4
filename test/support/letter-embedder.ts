// A small real embedder: the vector of a text counts its pairs of Latin letters. It declines a text without any.
import type { Embedder } from "../../src/core/plugin-api.js";

/** @param changes what another model of the same kind would have */
export function letterEmbedder(
  changes: { readonly model?: string; readonly dimensions?: number; readonly target?: number } = {},
): Embedder {
  const { model = "letter-pairs@1", dimensions = 64, target = 300 } = changes;
  const embed = (text: string): Float32Array | null => embedLetters(text, dimensions);
  return {
    model,
    dimensions,
    chunkTokens: { target, max: 500 },
    fusionWeight: 0.3,
    embedDocuments: (texts) => Promise.resolve(texts.map(embed)),
    embedQuery: (text) => Promise.resolve(embed(text)),
    dispose: () => Promise.resolve(),
  };
}

function embedLetters(text: string, dimensions: number): Float32Array | null {
  const letters = text.toLowerCase().replace(/[^a-z]/g, "");
  if (letters.length < 2) return null;
  const vector = new Float32Array(dimensions);
  for (let at = 0; at + 1 < letters.length; at++) {
    const pair = letters.charCodeAt(at) * 31 + letters.charCodeAt(at + 1);
    vector[pair % dimensions]! += 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
