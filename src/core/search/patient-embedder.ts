// The embedder for somebody who waits: it answers soon or not at all, and what just failed for everybody is not tried
// again with every search. Knows no store and no index.
import { KbError } from "../errors.js";
import { concernsEveryText } from "../indexing/embedder-failure.js";
import { vectorFlaw } from "../indexing/vector-flaw.js";
import type { Lazy } from "../lazy.js";
import { within } from "../patience.js";
import { createPatientPart, type PatientPart } from "../patient-part.js";
import type { Embedder } from "../plugin-api.js";
import { createRest, usualRestMs } from "../rest.js";
import { throwIfCancelled } from "./cancelled.js";

/** What a search needs of an embedder. */
export type QueryEmbedder = Pick<Embedder, "embedQuery" | "fusionWeight">;

/** `get` gives the embedder itself. @throws what its creation failed with, at once while that rests; KB_EMBED_TIMEOUT */
export interface PatientEmbedder extends PatientPart<Embedder> {
  /**
   * The same for queries, which are bounded too, and whose vectors are what they must be.
   * @throws also what a query failed with, while that rests
   */
  forQueries(): Promise<QueryEmbedder>;
  /** Forgets failures: the embedder was seen to work. */
  recover(): void;
}

/** A model may have to be loaded for the first query. */
const usualPatienceMs = 15_000;

/**
 * @param patienceMs milliseconds that a creation or a query may take
 * @param restMs milliseconds in which a failure that would meet every query is not tried again
 * @param closing aborted when nobody waits any more
 */
export function createPatientEmbedder(
  embedder: Pick<Lazy<Embedder>, "get">,
  {
    patienceMs = usualPatienceMs,
    restMs = usualRestMs,
    closing,
  }: { patienceMs?: number; restMs?: number; closing?: AbortSignal } = {},
): PatientEmbedder {
  const late = (what: string, seconds: number): KbError =>
    new KbError("KB_EMBED_TIMEOUT", `${what} within ${seconds} s`);
  const creation = createPatientPart(embedder, (seconds) => late("The embedder was not ready", seconds), {
    patienceMs,
    restMs,
    closing,
  });
  const queries = createRest(restMs);
  return {
    get: (ownPatienceMs) => creation.get(ownPatienceMs),
    async forQueries() {
      const { fusionWeight } = await creation.get();
      queries.refuse();
      return {
        fusionWeight,
        async embedQuery(text, signal) {
          const made = await creation.get();
          const embedding = Promise.resolve().then(() => made.embedQuery(text, signal));
          const tooLate = (): KbError =>
            late("The embedder gave no vector for the query", Math.ceil(patienceMs / 1000));
          try {
            return usable(made, await within(embedding, patienceMs, tooLate, signal));
          } catch (error) {
            throwIfCancelled(signal, error);
            if (concernsEveryText(error)) queries.begin(error);
            embedding.then(() => queries.end()).catch(() => undefined);
            throw error;
          }
        },
      };
    },
    recover() {
      creation.recover();
      queries.end();
    },
  };
}

/** @throws KbError KB_EMBED_FAILED: the store would blame the index for a vector of another length */
function usable({ model, dimensions }: Embedder, answer: Float32Array | null): Float32Array | null {
  const flaw = vectorFlaw(answer, dimensions);
  if (flaw === undefined) return answer;
  throw new KbError("KB_EMBED_FAILED", `The embedder ${model} answered a query with ${flaw}`);
}
