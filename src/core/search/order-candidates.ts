// The stages between fusion and hits that put candidates in order: first the reranker, then variety.
import type { Logger, ScoredChunk, StoredChunk, VectorStore } from "../plugin-api.js";
import { confidenceDepth } from "./confidence.js";
import { diversify } from "./mmr.js";
import type { QueryReranker } from "./patient-reranker.js";
import type { RequestSettings } from "./request-settings.js";
import { rerank } from "./rerank.js";

/** Hits that a reranker orders: enough to mend a ranking, few enough to wait for. */
const rerankDepth = 20;
/** Hits that variety is chosen from. */
const mmrDepth = 50;
/** Candidates for each hit that grows: some become part of another. */
const mergedShare = 3;

/** What the stages after fusion read of a chunk; each further field takes a store time. */
const fields = [
  "path",
  "position",
  "heading",
  "headingPath",
  "content",
  "startLine",
  "endLine",
  "terms",
] as const satisfies readonly (keyof StoredChunk)[];

export type CandidateChunk = Pick<StoredChunk, (typeof fields)[number]>;

export interface OrderedCandidates {
  /** By relevance: in the reranker's order, else in that of fusion. */
  readonly ranking: readonly ScoredChunk[];
  /** Whether a reranker ordered them. */
  readonly reranked: boolean;
  /** In the order of hits. */
  readonly ordered: readonly ScoredChunk[];
  readonly chunks: readonly CandidateChunk[];
}

/** How many of the best by fusion the stages need to show `limit` hits. */
export function candidateDepth(limit: number, { mmr, parents }: RequestSettings, reranks: boolean): number {
  return Math.max(
    parents ? mergedShare * limit : limit,
    confidenceDepth,
    reranks ? rerankDepth : 0,
    mmr === undefined ? 0 : mmrDepth,
  );
}

/**
 * @param candidates best first
 * @throws KbError KB_CANCELLED, KB_STORE_*
 */
export async function orderCandidates(
  parts: {
    readonly store: VectorStore;
    readonly reranker?: (() => Promise<QueryReranker>) | undefined;
    readonly logger?: Logger | undefined;
  },
  candidates: readonly ScoredChunk[],
  query: string,
  { limit: asked, mmr }: RequestSettings,
  notes: string[],
  signal: AbortSignal,
): Promise<OrderedCandidates> {
  const { store, reranker, logger } = parts;
  const withVectors =
    mmr === undefined ? undefined : store.chunks(candidates, [...fields, "vector"] as const);
  const fetched: Promise<readonly CandidateChunk[]> = withVectors ?? store.chunks(candidates, fields);
  const ranking =
    reranker === undefined
      ? candidates
      : await rerank(
          reranker,
          query,
          { ranking: candidates, chunks: await fetched, depth: Math.max(asked, rerankDepth) },
          signal,
          notes,
          logger,
        );
  const reranked = ranking !== candidates;
  const chunks = await fetched;
  // A reranker's scores do not compare with those behind them.
  const pool = Math.max(asked, reranked ? rerankDepth : mmrDepth);
  const ordered =
    mmr === undefined || withVectors === undefined
      ? ranking
      : diversify(ranking, await withVectors, pool, mmr);
  return { ranking, reranked, ordered, chunks };
}
