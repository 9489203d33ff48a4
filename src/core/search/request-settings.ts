// How one request wants its hits: what it asks for, else what is configured, checked.
import { KbError } from "../errors.js";
import { limits } from "../limits.js";
import type { MmrOptions } from "./mmr.js";
import type { SearchRequest } from "./search-reply.js";

/** What counts where a request does not say. */
export interface RequestDefaults {
  /** Below it a reply says low_confidence; 0 to 1. */
  readonly minConfidence: number;
  /** Hits when none are asked for. */
  readonly limit: number;
  /** Whether hits are chosen for variety; default false. */
  readonly mmr?: boolean;
  /** 0 (variety) to 1 (score); default 0.7. */
  readonly mmrLambda?: number;
  /** 0 to 1; default 0. */
  readonly mmrSameDocPenalty?: number;
  /** Whether hits grow to their section; default false. */
  readonly parentRetriever?: boolean;
}

export interface RequestSettings {
  readonly limit: number;
  readonly minConfidence: number;
  /** Absent where hits stay in order of score. */
  readonly mmr?: MmrOptions;
  readonly parents: boolean;
}

/** @throws KbError KB_SEARCH_FILTER that names the parameter and the value */
export function settingsOf(request: SearchRequest, defaults: RequestDefaults): RequestSettings {
  // Who sets how much variety there should be wants some.
  const tuned = request.mmr_lambda !== undefined || request.mmr_same_doc_penalty !== undefined;
  const mmr: MmrOptions = {
    lambda: shareOf("mmr_lambda", request.mmr_lambda ?? defaults.mmrLambda ?? 0.7),
    sameDocPenalty: shareOf(
      "mmr_same_doc_penalty",
      request.mmr_same_doc_penalty ?? defaults.mmrSameDocPenalty ?? 0,
    ),
  };
  return {
    limit: limitOf(request.limit ?? defaults.limit),
    minConfidence: shareOf("min_confidence", request.min_confidence ?? defaults.minConfidence),
    ...((request.mmr ?? (tuned || defaults.mmr === true)) && { mmr }),
    parents: request.parent_retriever ?? defaults.parentRetriever ?? false,
  };
}

function limitOf(limit: number): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= limits.searchLimitMax) return limit;
  throw new KbError(
    "KB_SEARCH_FILTER",
    `limit: ${limit} is not a whole number from 1 to ${limits.searchLimitMax}`,
  );
}

function shareOf(name: string, value: number): number {
  if (value >= 0 && value <= 1) return value;
  throw new KbError("KB_SEARCH_FILTER", `${name}: ${value} is not between 0 and 1`);
}
