// The reranker for somebody who waits: it answers soon or not at all, and what just failed for everybody is not tried
// again with every search. Knows no store and no index.
import { KbError } from "../errors.js";
import { concernsEveryText } from "../indexing/embedder-failure.js";
import type { Lazy } from "../lazy.js";
import { within } from "../patience.js";
import { createPatientPart } from "../patient-part.js";
import type { Reranker } from "../plugin-api.js";
import { createRest, usualRestMs } from "../rest.js";
import { throwIfCancelled } from "./cancelled.js";

/** What a search needs of a reranker. */
export type QueryReranker = Pick<Reranker, "rerank">;

/** As for an embedder. */
const usualMakingMs = 15_000;
/** A large model on a small machine reads twenty passages in some 20 s; MCP clients wait a minute in all. */
const usualRerankMs = 30_000;

export interface RerankerPatience {
  /** Milliseconds that the making may take. */
  readonly makingMs?: number;
  /** Milliseconds that the scores of one search may take. */
  readonly rerankMs?: number;
  /** Milliseconds in which a failure that would meet every search is not tried again. */
  readonly restMs?: number;
  /** Aborted when nobody waits any more. */
  readonly closing?: AbortSignal;
}

/** The reranker for each search. @throws what making or asking it failed with, at once while that rests */
export function createPatientReranker(
  reranker: Pick<Lazy<Reranker>, "get">,
  {
    makingMs = usualMakingMs,
    rerankMs = usualRerankMs,
    restMs = usualRestMs,
    closing,
  }: RerankerPatience = {},
): () => Promise<QueryReranker> {
  const making = createPatientPart(
    reranker,
    (seconds) => tooLate(`The reranker was not ready within ${seconds} s`),
    { patienceMs: makingMs, restMs, closing },
  );
  const asking = createRest(restMs);
  return async () => {
    asking.refuse();
    const made = await making.get();
    return {
      async rerank(query, candidates, signal) {
        const scoring = Promise.resolve().then(() => made.rerank(query, candidates, signal));
        const late = tooLate(`The reranker gave no scores within ${Math.ceil(rerankMs / 1000)} s`);
        try {
          return await within(scoring, rerankMs, () => late, signal);
        } catch (error) {
          throwIfCancelled(signal, error);
          if (error === late || concernsEveryText(error)) asking.begin(error);
          scoring.then(() => asking.end()).catch(() => undefined);
          throw error;
        }
      },
    };
  };
}

function tooLate(message: string): KbError {
  return new KbError("KB_RERANK_FAILED", message, {
    hint: "Ask again in a minute: a model that was still being loaded is then ready. If it stays, check the reranker's table in kb-mcp.toml, or leave it out: search.reranker.",
  });
}
