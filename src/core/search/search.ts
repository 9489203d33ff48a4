// The search pipeline: query and filters → both legs at once → fusion → reranker → variety → parent
// passages → hits with confidence and spans → reply budget. The order is fixed; what the stages do is theirs.
import type { Embedder, Logger, Reranker, ScoredChunk, StoredDocument, VectorStore } from "../plugin-api.js";
import { throwIfCancelled } from "./cancelled.js";
import { chunkId } from "./chunk-key.js";
import { compileQuery } from "./compile-query.js";
import { confidence, confidenceDepth } from "./confidence.js";
import { supportedByDocuments } from "./document-support.js";
import { explainer } from "./explain.js";
import { compileFilters, type QualityFilter } from "./filters.js";
import { fuse, fusionDepth, roundScore } from "./fusion.js";
import { presentHits } from "./hits.js";
import { vectorWeightFor } from "./leg-weight.js";
import { searchByWords } from "./lexical-leg.js";
import { marksOf } from "./match-spans.js";
import { growingIn } from "./growing.js";
import { candidateDepth, orderCandidates } from "./order-candidates.js";
import { passagesOf, type Passage } from "./passages.js";
import { fitReply } from "./reply-budget.js";
import { settingsOf, type RequestDefaults } from "./request-settings.js";
import type { SearchMode, SearchReply, SearchRequest } from "./search-reply.js";
import { searchByMeaning, type VectorLegResult } from "./vector-leg.js";

export interface SearchOptions extends RequestDefaults {
  /** Share of the vector leg, 0 to 1; the embedder's own if absent. */
  readonly vectorWeight?: number;
  /**
   * Every hit of both legs, whatever the limit; a reranker orders no more of them for that and
   * none grows. For evaluation.
   */
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

export function createSearch(dependencies: SearchDependencies): Search {
  const { options } = dependencies;

  return async (request, signal) => {
    const query = compileQuery(request.query);
    const { filter: filters, applied } = compileFilters(request, options.qualityFilter);
    const filter = { ...filters, ...query.conditions };
    const everyHit = options.everyHit === true;
    const asked = settingsOf(request, options);
    const settings = everyHit ? { ...asked, parents: false } : asked;
    const limit = everyHit ? 2 * fusionDepth : settings.limit;
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

    const reranker = request.rerank === false ? undefined : dependencies.reranker;
    if (request.rerank === true && reranker === undefined) notes.push(noReranker);
    const evidence = {
      terms: query.terms,
      frequencies: words.frequencies,
      chunks: counts.chunks,
      best: words.hits[0]?.score ?? 0,
    };
    const fused = supportedByDocuments(
      fuse({ lexical, vector: meaning.hits }, weight ?? vectorWeightFor(meaning.fusionWeight, evidence)),
    );
    const candidates = fused.slice(0, candidateDepth(limit, settings, reranker !== undefined));
    const staysInOrder = reranker === undefined && settings.mmr === undefined && !settings.parents;
    const mayBeShown = staysInOrder ? candidates.slice(0, limit) : candidates;
    const [{ ranking, reranked, ordered, chunks }, documents] = await Promise.all([
      orderCandidates(
        { store, reranker, logger: dependencies.logger },
        candidates,
        query.text,
        settings,
        notes,
        signal,
      ),
      store.documentsAt([...new Set(mayBeShown.map(({ path }) => path))]),
    ]);
    const passages = passagesOf(settings.parents ? ordered : ordered.slice(0, limit), chunks);
    const growing = settings.parents
      ? await growingIn(store, passages, limit, query.conditions, options.maxReplyTokens)
      : undefined;
    throwIfCancelled(signal);

    const explain =
      request.explain === true
        ? explainer({
            lexical,
            vector: meaning.hits,
            fused,
            ...(reranked && { reranked: ranking }),
          })
        : undefined;
    const best = new Set(ranking.slice(0, confidenceDepth).map(chunkId));
    const likelihood = roundScore(
      confidence({
        ...evidence,
        hits: chunks.filter((chunk) => best.has(chunkId(chunk))).map(({ terms }) => terms.text),
      }),
    );
    const marks = marksOf(query);
    const replyWith = (shownPassages: readonly Passage[]): SearchReply => ({
      results: presentHits(shownPassages, documents, dependencies.isServable, marks, explain),
      confidence: likelihood,
      low_confidence: likelihood < settings.minConfidence,
      filter_applied: applied,
      mode: modeOf(lexical, meaning.hits),
      notes,
    });
    const reply = growing === undefined ? replyWith(passages) : growing.largest(replyWith);
    return fitReply(reply, options.maxReplyTokens);
  };
}

const noReranker =
  "No reranker is configured ([search].reranker in kb-mcp.toml), so results are in the order of the search itself.";

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
