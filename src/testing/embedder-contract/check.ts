// One test of the embedder contract, and what is common to many of them.
import assert from "node:assert/strict";
import { isFloat32Array } from "node:util/types";
import type { Embedder } from "../../core/plugin-api.js";

export interface EmbedderSubject {
  readonly embedder: Embedder;
  /** Different texts that the model can read. */
  readonly texts: readonly string[];
}

export interface EmbedderCheck {
  /** A sentence of behaviour. */
  readonly name: string;
  run(subject: EmbedderSubject): Promise<void>;
}

/** A signal that is never aborted. */
export const never: AbortSignal = new AbortController().signal;

const unitTolerance = 1e-3;

/** A vector as the interface wants it. The class of another realm counts: test runners have several. */
export function assertVector(
  vector: unknown,
  { dimensions }: Embedder,
  name: string,
): asserts vector is Float32Array {
  assert.ok(isFloat32Array(vector), `the vector of ${name} is not a Float32Array`);
  assert.equal(vector.length, dimensions, `the vector of ${name} has another length than "dimensions"`);
  const length = Math.hypot(...vector);
  assert.ok(Math.abs(length - 1) <= unitTolerance, `the vector of ${name} has length ${length}, not 1`);
}

/** One vector for each text; fails for a text that is declined. */
export async function vectorsOf(embedder: Embedder, texts: readonly string[]): Promise<Float32Array[]> {
  const found: readonly unknown[] = await embedder.embedDocuments(texts, never);
  assert.equal(found.length, texts.length, "there is not one vector for each text");
  return found.map((vector, index) => {
    const name = JSON.stringify(texts[index]?.slice(0, 60));
    assert.notEqual(vector, null, `${name} is declined; give texts that the model can read`);
    assertVector(vector, embedder, name);
    return vector;
  });
}

/** Cosine similarity of two vectors of unit length. */
export function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  assert.ok(a && b, "there is no vector");
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
