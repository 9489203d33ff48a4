// The stages between fusion and hits that put candidates in order: first the reranker, then variety.
import type { Logger, Reranker, ScoredChunk, StoredChunk, VectorStore } from "../plugin-api.js";
import { confidenceDepth } from "./confidence.js";
import { diversify } from "./mmr.js";
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
export interface OrderedCandidates {
  /** By relevance: in the reranker's order, else in that of fusion. */
  readonly ranking: readonly ScoredChunk[];
  /** Whether a reranker ordered them. */
  readonly reranked: boolean;
  /** In the order of hits. */
  readonly ordered: readonly ScoredChunk[];
  /** With what later stages read: `contentKey` and `tokens` only where hits grow, no `level` and `quality`. */
  readonly chunks: readonly StoredChunk[];
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
    readonly reranker?: (() => Promise<Reranker>) | undefined;
    readonly logger?: Logger | undefined;
  },
  candidates: readonly ScoredChunk[],
  query: string,
  { limit: asked, mmr, parents }: RequestSettings,
  notes: string[],
  signal: AbortSignal,
): Promise<OrderedCandidates> {
  const { store, reranker, logger } = parts;
  const read: readonly (keyof StoredChunk)[] = [
    ...fields,
    ...(parents ? (["contentKey", "tokens"] as const) : []),
    ...(mmr === undefined ? [] : (["vector"] as const)),
  ];
  const fetched = store.chunks(candidates, read);
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
  const ordered = mmr === undefined ? ranking : diversify(ranking, chunks, pool, mmr);
  return { ranking, reranked, ordered, chunks };
}
