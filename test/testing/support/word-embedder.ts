// A small embedder that keeps every promise: the vector of a text counts its words, by a hash.
import { KbError, type Embedder } from "../../../src/core/plugin-api.js";

const dimensions = 256;

export function wordEmbedder(changes: Partial<Embedder> = {}): Embedder {
  let disposed = false;
  const admit = async (signal: AbortSignal): Promise<void> => {
    await Promise.resolve();
    if (disposed || signal.aborted) throw new KbError("KB_CANCELLED", "the work was cancelled");
  };
  return {
    model: "words@1",
    dimensions,
    chunkTokens: { target: 300, max: 500 },
    fusionWeight: 0.3,
    countTokens: (texts) => Promise.resolve(texts.map((text) => wordsOf(text).length)),
    async embedDocuments(texts, signal) {
      await admit(signal);
      return texts.map(embed);
    },
    async embedQuery(text, signal) {
      await admit(signal);
      return embed(text);
    },
    dispose() {
      disposed = true;
      return Promise.resolve();
    },
    ...changes,
  };
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z]+/g) ?? [];
}

export function embed(text: string): Float32Array | null {
  const vector = new Float32Array(dimensions);
  for (const word of wordsOf(text)) {
    let hash = 0;
    for (let at = 0; at < word.length; at++) hash = (hash * 31 + word.charCodeAt(at)) % 65_521;
    vector[hash % dimensions]! += 1;
  }
  const length = Math.hypot(...vector);
  return length === 0 ? null : vector.map((value) => value / length);
}
