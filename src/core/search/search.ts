// The search pipeline: query and filters → both legs at once → fusion → reranker → variety → parent
// passages → hits with confidence and spans → reply budget. The order is fixed; what the stages do is theirs.
import type { Logger, StoredDocument, VectorStore } from "../plugin-api.js";
import { searchBothLegs } from "./both-legs.js";
import { throwIfCancelled } from "./cancelled.js";
import { chunkId } from "./chunk-key.js";
import { compileQuery } from "./compile-query.js";
import { confidence, confidenceDepth } from "./confidence.js";
import { explainer } from "./explain.js";
import { compileFilters, type QualityFilter } from "./filters.js";
import { fusionDepth, roundScore } from "./fusion.js";
import { presentHits, ShownDocuments } from "./hits.js";
import { marksOf } from "./match-spans.js";
import { largestReply } from "./growing.js";
import { candidateDepth, orderCandidates } from "./order-candidates.js";
import type { QueryEmbedder } from "./patient-embedder.js";
import type { QueryReranker } from "./patient-reranker.js";
import { passagesOf, type Passage } from "./passages.js";
import { fitReply } from "./reply-budget.js";
import { settingsOf, type RequestDefaults } from "./request-settings.js";
import type { SearchReply, SearchRequest } from "./search-reply.js";
import { notesOfUnmatched } from "./unmatched-filters.js";

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
  readonly embedder: () => Promise<QueryEmbedder>;
  /** Why vectors must not be compared; absent where they always may. */
  readonly vectorMismatch?: () => Promise<string | undefined>;
  readonly reranker?: () => Promise<QueryReranker>;
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
    const [found, indexNotes] = await Promise.all([
      searchBothLegs({ ...dependencies, store }, query, filter, options.vectorWeight, signal),
      dependencies.notes(),
    ]);
    const { fused } = found;
    const reranker = request.rerank === false ? undefined : dependencies.reranker;
    const notes = [
      ...indexNotes,
      ...exclusionNotes(query.excluded),
      // What is wrong with the index the leg that stands aside for it says too.
      ...found.notes.filter((note) => !indexNotes.includes(note)),
      ...(fused.length === 0
        ? await notesOfUnmatched(store, filter, { applied, phrases: query.phrases }, signal)
        : []),
      ...(request.rerank === true && reranker === undefined ? [noReranker] : []),
    ];
    const depth = candidateDepth(limit, settings, reranker !== undefined);
    const candidates = fused.slice(0, depth);
    const staysInOrder = reranker === undefined && settings.mmr === undefined && !settings.parents;
    const mayBeShown = staysInOrder ? candidates.slice(0, limit) : candidates;
    const documents = new ShownDocuments(store);
    const [{ ranking, reranked, ordered, chunks }] = await Promise.all([
      orderCandidates(
        { store, reranker, logger: dependencies.logger },
        candidates,
        query.text,
        settings,
        notes,
        signal,
      ),
      documents.read(mayBeShown),
    ]);
    const passages = passagesOf(settings.parents ? ordered : ordered.slice(0, limit), chunks);
    throwIfCancelled(signal);

    const explain =
      request.explain === true ? explainer({ ...found, ...(reranked && { reranked: ranking }) }) : undefined;
    const best = new Set(ranking.slice(0, confidenceDepth).map(chunkId));
    const likelihood = roundScore(
      confidence({
        ...found.evidence,
        bigrams: query.bigrams,
        hits: chunks.filter((chunk) => best.has(chunkId(chunk))).map(({ terms }) => terms),
      }),
    );
    const marks = marksOf(query);
    const replyWith = async (shown: readonly Passage[]): Promise<SearchReply> => {
      await documents.read(shown.map(({ ranked }) => ranked));
      return {
        results: presentHits(shown, documents, dependencies.isServable, marks, explain),
        confidence: likelihood,
        low_confidence: likelihood < settings.minConfidence,
        filter_applied: applied,
        mode: found.mode,
        notes,
      };
    };
    const { maxReplyTokens } = options;
    const reply = settings.parents
      ? await largestReply(
          store,
          passages,
          fused.slice(depth),
          { limit, filter, maxReplyTokens },
          replyWith,
          signal,
        )
      : await replyWith(passages);
    return fitReply(reply, maxReplyTokens);
  };
}

const noReranker =
  "No reranker is configured ([search].reranker in kb-mcp.toml), so results are in the order of the search itself.";

function exclusionNotes(excluded: readonly string[]): string[] {
  if (excluded.length === 0) return [];
  const list = excluded.map((text) => JSON.stringify(text)).join(", ");
  return [`Passages with ${list} were excluded, as the query asks.`];
}
