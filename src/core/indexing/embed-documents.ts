// Gives prepared documents their vectors, several documents in one call of the embedder.
import { setImmediate } from "node:timers/promises";
import { isKbError, KbError } from "../errors.js";
import type { DocumentWrite, Embedder } from "../plugin-api.js";
import { embeddingText } from "../search/analyser/embedding-text.js";
import { unlessCancelled } from "./cancellation.js";
import { concernsEveryText, EmbedderAnswerError } from "./embedder-failure.js";
import type { PreparedDocument } from "./prepare-document.js";
import { nameOf, vectorFlaw } from "./vector-flaw.js";

export interface EmbedFailure {
  readonly path: string;
  readonly error: KbError;
}

export interface EmbeddedGroup {
  readonly writes: readonly DocumentWrite[];
  readonly failures: readonly EmbedFailure[];
  /** Texts the embedder answered for. */
  readonly embedded: number;
}

/**
 * Embeds a group of documents. When the embedder fails on the group, each document is tried by itself, so that
 * one bad text costs one document.
 * @throws KbError KB_CANCELLED; KB_EMBED_* and KB_MODEL_* that every text would meet
 */
export async function embedDocuments(
  group: readonly PreparedDocument[],
  embedder: Embedder,
  signal: AbortSignal,
): Promise<EmbeddedGroup> {
  const texts = group.flatMap(embeddingTexts);
  try {
    const vectors = await embedTexts(texts, embedder, signal);
    let next = 0;
    const writes = group.map((document) => {
      const own = vectors.slice(next, next + document.chunks.length);
      next += document.chunks.length;
      return withVectors(document, own);
    });
    return { writes, failures: [], embedded: texts.length };
  } catch (error) {
    const only = group[0];
    if (signal.aborted || only === undefined || !(error instanceof KbError) || concernsEveryText(error))
      throw error;
    if (group.length === 1) return { writes: [], failures: [{ path: only.path, error }], embedded: 0 };
  }
  const single = { writes: [] as DocumentWrite[], failures: [] as EmbedFailure[], embedded: 0 };
  for (const document of group) {
    const one = await embedDocuments([document], embedder, signal);
    single.writes.push(...one.writes);
    single.failures.push(...one.failures);
    single.embedded += one.embedded;
  }
  return single;
}

/**
 * Embeds a few words, to see that the embedder works before anything is given up for what it is to make.
 * @throws KbError KB_EMBED_*, KB_MODEL_*, KB_CANCELLED
 */
export async function probeEmbedder(embedder: Embedder, signal: AbortSignal): Promise<void> {
  await embedTexts(["What these notes are about"], embedder, signal);
}

/** One text for each chunk. */
export function embeddingTexts({ title, chunks }: Pick<PreparedDocument, "title" | "chunks">): string[] {
  return chunks.map(({ headingPath, content }) =>
    embeddingText({ ...(title !== undefined && { title }), headingPath, content }),
  );
}

/** A document with the vectors of its chunks, null where the embedder declined. */
export function withVectors(
  { document, chunks }: PreparedDocument,
  vectors: readonly (Float32Array | null)[],
): DocumentWrite {
  const withOwn = chunks.map((chunk, position) => ({ ...chunk, vector: vectors[position] ?? null }));
  const declinedCount = withOwn.filter(({ vector }) => vector === null).length;
  return { document: { ...document, declinedCount }, chunks: withOwn };
}

async function embedTexts(
  texts: readonly string[],
  embedder: Embedder,
  signal: AbortSignal,
): Promise<(Float32Array | null)[]> {
  if (texts.length === 0) return [];
  const answer = await asking(embedder, signal, () => embedder.embedDocuments(texts, signal));
  const vectors = oneForEach(embedder, "vectors", answer, texts);
  let looked = 0;
  for (const vector of vectors) {
    const flaw = vectorFlaw(vector, embedder.dimensions);
    if (flaw !== undefined)
      throw new KbError("KB_EMBED_FAILED", `The embedder ${embedder.model} answered ${flaw}`);
    looked += embedder.dimensions;
    if (looked < numbersAtOnce) continue;
    looked = 0;
    await setImmediate();
  }
  return vectors;
}

/** Numbers looked at without a pause: a few milliseconds. */
const numbersAtOnce = 1 << 20;

/**
 * An answer that must be a list of one value for each text.
 * @throws EmbedderAnswerError if it is not
 */
export function oneForEach<Value>(
  { model }: Pick<Embedder, "model">,
  what: string,
  answer: Value[],
  texts: readonly string[],
): Value[] {
  if (Array.isArray(answer) && answer.length === texts.length) return answer;
  throw new EmbedderAnswerError(
    `The embedder ${model}, asked for the ${what} of ${texts.length} texts, answered ${nameOf(answer)}`,
  );
}

/**
 * What an embedder answers. One that does not listen to the signal is not waited for once that is aborted.
 * @throws KbError KB_CANCELLED; KB_EMBED_FAILED for whatever else it throws
 */
export async function asking<Answer>(
  { model }: Pick<Embedder, "model">,
  signal: AbortSignal,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await unlessCancelled(Promise.resolve().then(ask), signal);
  } catch (error) {
    if (!isKbError(error))
      throw new KbError("KB_EMBED_FAILED", `The embedder ${model} failed`, { cause: error });
    // Thrown anew: a plugin may carry a KbError class of its own.
    throw new KbError(error.code, error.message, { cause: error, hint: error.hint });
  }
}
