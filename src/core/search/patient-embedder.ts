// The embedder for somebody who waits: it answers soon or not at all, and what just failed for everybody is not tried
// again with every search. Knows no store and no index.
import { KbError } from "../errors.js";
import { concernsEveryText } from "../indexing/embedder-failure.js";
import type { Lazy } from "../lazy.js";
import type { Embedder } from "../plugin-api.js";
import { throwIfCancelled } from "./cancelled.js";

/** What a search needs of an embedder. */
export type QueryEmbedder = Pick<Embedder, "embedQuery" | "fusionWeight">;

export interface PatientEmbedder {
  /** The embedder itself. @throws what its creation failed with, at once while that rests; KB_EMBED_TIMEOUT */
  get(): Promise<Embedder>;
  /** The same for queries, which are bounded too. @throws also what a query failed with, while that rests */
  forQueries(): Promise<QueryEmbedder>;
  /** Forgets failures: the embedder was seen to work. */
  recover(): void;
}

/** A model may have to be loaded for the first query. */
const usualPatienceMs = 15_000;
/** Long enough that a server that is down costs few searches a wait, short enough to notice soon that it is back. */
const usualRestMs = 30_000;

/**
 * @param patienceMs milliseconds that a creation or a query may take
 * @param restMs milliseconds in which a failure that would meet every query is not tried again
 */
export function createPatientEmbedder(
  embedder: Lazy<Embedder>,
  { patienceMs = usualPatienceMs, restMs = usualRestMs }: { patienceMs?: number; restMs?: number } = {},
): PatientEmbedder {
  const creation = createRest(restMs);
  const queries = createRest(restMs);
  const get = async (): Promise<Embedder> => {
    creation.refuse();
    const making = embedder.get();
    try {
      return await soon(making, patienceMs, "The embedder was not ready");
    } catch (error) {
      creation.begin(error);
      // What was only late ends the rest itself.
      making.then(() => creation.end()).catch(() => undefined);
      throw error;
    }
  };
  return {
    get,
    async forQueries() {
      const { fusionWeight } = await get();
      queries.refuse();
      return {
        fusionWeight,
        async embedQuery(text, signal) {
          const embedding = (await get()).embedQuery(text, signal);
          try {
            return await soon(embedding, patienceMs, "The embedder gave no vector for the query", signal);
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
      creation.end();
      queries.end();
    },
  };
}

/** A failure that stands for a while. */
function createRest(restMs: number): { begin(error: unknown): void; end(): void; refuse(): void } {
  let failure: { readonly error: unknown; readonly until: number } | undefined;
  return {
    begin: (error) => {
      failure = { error, until: performance.now() + restMs };
    },
    end: () => {
      failure = undefined;
    },
    refuse() {
      if (failure !== undefined && performance.now() < failure.until) throw failure.error;
    },
  };
}

/** @throws KbError KB_EMBED_TIMEOUT; KB_CANCELLED, also where the work itself does not listen */
async function soon<T>(
  work: Promise<T>,
  patienceMs: number,
  what: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimeout(
          () => reject(new KbError("KB_EMBED_TIMEOUT", `${what} within ${Math.ceil(patienceMs / 1000)} s`)),
          patienceMs,
        );
        stop = () => reject(new KbError("KB_CANCELLED", "The search was cancelled"));
        if (signal.aborted) stop();
        else signal.addEventListener("abort", stop, { once: true });
      }),
    ]);
  } finally {
    clearTimeout(timer);
    if (stop !== undefined) signal.removeEventListener("abort", stop);
  }
}
