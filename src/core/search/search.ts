// The search pipeline: query and filters → both legs at once → fusion → reranker → hits with confidence and spans →
// reply budget. The order is fixed; what the stages do is theirs.
import { KbError } from "../errors.js";
import { limits } from "../limits.js";
import type {
  Embedder,
  Logger,
  Reranker,
  ScoredChunk,
  StoredChunk,
  StoredDocument,
  VectorStore,
} from "../plugin-api.js";
import { throwIfCancelled } from "./cancelled.js";
import { chunkId } from "./chunk-key.js";
import { compileQuery } from "./compile-query.js";
import { confidence, confidenceDepth } from "./confidence.js";
import { explainer } from "./explain.js";
import { compileFilters, type QualityFilter } from "./filters.js";
import { fuse, fusionDepth, roundScore } from "./fusion.js";
import { presentHits } from "./hits.js";
import { searchByWords } from "./lexical-leg.js";
import { marksOf } from "./match-spans.js";
import { fitReply } from "./reply-budget.js";
import { rerank } from "./rerank.js";
import type { SearchMode, SearchReply, SearchRequest } from "./search-reply.js";
import { searchByMeaning, type VectorLegResult } from "./vector-leg.js";

export interface SearchOptions {
  /** Below it a reply says low_confidence; 0 to 1. */
  readonly minConfidence: number;
  /** Share of the vector leg, 0 to 1; the embedder's own if absent. */
  readonly vectorWeight?: number;
  /** Hits when none are asked for. */
  readonly limit: number;
  /** Every hit of both legs, whatever the limit; a reranker orders no more of them for that. For evaluation. */
  readonly everyHit?: boolean;
  readonly qualityFilter: QualityFilter;
  /** Estimated tokens of a reply, both copies counted. */
  readonly maxReplyTokens: number;
}

export interface SearchDependencies {
  readonly store: () => Promise<VectorStore>;
  readonly embedder: () => Promise<Embedder>;
  readonly reranker?: () => Promise<Reranker>;
  /** Whether a document can be read as a resource. */
  readonly isServable: (document: StoredDocument) => boolean;
  readonly options: SearchOptions;
  /** What the reader should know about the index now. */
  readonly notes: () => readonly string[] | Promise<readonly string[]>;
  readonly logger?: Logger;
}

/** @throws KbError KB_SEARCH_QUERY, KB_SEARCH_FILTER, KB_CANCELLED, KB_STORE_* */
export type Search = (request: SearchRequest, signal: AbortSignal) => Promise<SearchReply>;

/** Hits that a reranker orders: enough to mend a ranking, few enough to wait for. */
const rerankDepth = 20;

export function createSearch(dependencies: SearchDependencies): Search {
  const { options } = dependencies;

  return async (request, signal) => {
    const query = compileQuery(request.query);
    const { filter: filters, applied } = compileFilters(request, options.qualityFilter);
    const filter = { ...filters, ...query.conditions };
    const asked = limitOf(request.limit ?? options.limit);
    const limit = options.everyHit === true ? 2 * fusionDepth : asked;
    const minConfidence = minConfidenceOf(request.min_confidence ?? options.minConfidence);
    const store = await dependencies.store();
    const weight = options.vectorWeight;
    const [words, meaning, counts, indexNotes] = await Promise.all([
      searchByWords(store, query, filter, fusionDepth),
      weight === 0
        ? unused
        : searchByMeaning(
            { ...dependencies, store },
            { text: query.text, filter, depth: fusionDepth },
            signal,
          ),
      store.counts(),
      dependencies.notes(),
    ]);
    throwIfCancelled(signal);
    // A leg of weight 0 counts only where the other found nothing.
    const lexical = weight === 1 && meaning.hits.length > 0 ? [] : words.hits;
    const notes = [
      ...indexNotes,
      ...exclusionNotes(query.excluded),
      ...(meaning.note === undefined ? [] : [meaning.note]),
    ];
    if (words.hits.length === 0 && meaning.hits.length > 0 && weight !== 1) {
      notes.push("None of the words asked for is in a passage, so results come from meaning alone.");
    }

    const { reranker } = dependencies;
    const depth = Math.max(limit, confidenceDepth, reranker === undefined ? 0 : rerankDepth);
    const fused = fuse({ lexical, vector: meaning.hits }, weight ?? meaning.fusionWeight).slice(0, depth);
    const fetched = store.chunks(fused, hitFields);
    const ranking =
      reranker === undefined
        ? fused
        : await rerank(
            reranker,
            query.text,
            { ranking: fused, chunks: await fetched, depth: Math.max(asked, rerankDepth) },
            signal,
            notes,
            dependencies.logger,
          );
    const shown = ranking.slice(0, limit);
    const [chunks, documents] = await Promise.all([
      fetched,
      store.documentsAt([...new Set(shown.map(({ path }) => path))]),
    ]);
    throwIfCancelled(signal);

    const explain =
      request.explain === true
        ? explainer({
            lexical,
            vector: meaning.hits,
            fused,
            ...(ranking !== fused && { reranked: ranking }),
          })
        : undefined;
    const best = new Set(ranking.slice(0, confidenceDepth).map(chunkId));
    const likelihood = roundScore(
      confidence({
        terms: query.terms,
        frequencies: words.frequencies,
        chunks: counts.chunks,
        hits: chunks.filter((chunk) => best.has(chunkId(chunk))).map(({ terms }) => terms.text),
      }),
    );
    return fitReply(
      {
        results: presentHits(shown, chunks, documents, dependencies.isServable, marksOf(query), explain),
        confidence: likelihood,
        low_confidence: likelihood < minConfidence,
        filter_applied: applied,
        mode: modeOf(lexical, meaning.hits),
        notes,
      },
      options.maxReplyTokens,
    );
  };
}

/** What the stages after fusion read of a chunk; each further field takes a store time. */
const hitFields = [
  "path",
  "position",
  "heading",
  "headingPath",
  "content",
  "startLine",
  "endLine",
  "terms",
] as const satisfies readonly (keyof StoredChunk)[];

function exclusionNotes(excluded: readonly string[]): string[] {
  if (excluded.length === 0) return [];
  const list = excluded.map((text) => JSON.stringify(text)).join(", ");
  return [`Passages with ${list} were excluded, as the query asks.`];
}

/** The result of a vector leg of weight 0, which is not run. */
const unused: VectorLegResult = { hits: [], fusionWeight: 0 };

function modeOf(lexical: readonly ScoredChunk[], vector: readonly ScoredChunk[]): SearchMode {
  if (vector.length === 0) return "lexical";
  return lexical.length === 0 ? "vector" : "hybrid";
}

function limitOf(limit: number): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= limits.searchLimitMax) return limit;
  throw new KbError(
    "KB_SEARCH_FILTER",
    `limit: ${limit} is not a whole number from 1 to ${limits.searchLimitMax}`,
  );
}

function minConfidenceOf(value: number): number {
  if (value >= 0 && value <= 1) return value;
  throw new KbError("KB_SEARCH_FILTER", `min_confidence: ${value} is not between 0 and 1`);
}
