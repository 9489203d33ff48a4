// Runs both legs at the same time and makes one ranking of what they found.
import type { ChunkFilter, ScoredChunk } from "../plugin-api.js";
import { throwIfCancelled } from "./cancelled.js";
import type { CompiledQuery } from "./compile-query.js";
import { supportedByDocuments } from "./document-support.js";
import { fuse, fusionDepth, type Legs } from "./fusion.js";
import { vectorWeightFor, type WordEvidence } from "./leg-weight.js";
import { searchByWords } from "./lexical-leg.js";
import type { SearchMode } from "./search-reply.js";
import { searchByMeaning, type VectorLegParts, type VectorLegResult } from "./vector-leg.js";

export interface Found extends Legs {
  /** What both found, best first. */
  readonly fused: readonly ScoredChunk[];
  readonly mode: SearchMode;
  /** How well the words of the question are found. */
  readonly evidence: WordEvidence;
  /** Why a leg stood aside. */
  readonly notes: readonly string[];
}

/**
 * @param weight of the vector leg, 0 to 1; a leg of weight 0 counts only where the other found nothing. If it is
 *   undefined, the embedder's and the question's.
 * @throws KbError KB_CANCELLED, KB_STORE_*
 */
export async function searchBothLegs(
  parts: VectorLegParts,
  query: CompiledQuery,
  filter: ChunkFilter,
  weight: number | undefined,
  signal: AbortSignal,
): Promise<Found> {
  const { store } = parts;
  const [words, meaning, counts] = await Promise.all([
    searchByWords(store, query, filter, fusionDepth),
    weight === 0 ? unused : searchByMeaning(parts, { text: query.text, filter, depth: fusionDepth }, signal),
    store.counts(),
  ]);
  throwIfCancelled(signal);
  const vector = meaning.hits;
  const lexical = weight === 1 && vector.length > 0 ? [] : words.hits;
  const evidence = {
    terms: query.terms,
    frequencies: words.frequencies,
    chunks: counts.chunks,
    best: words.hits[0]?.score ?? 0,
  };
  const vectorWeight = weight ?? vectorWeightFor(meaning.fusionWeight, evidence);
  const isMeaningAlone = words.hits.length === 0 && vector.length > 0 && weight !== 1;
  return {
    lexical,
    vector,
    fused: supportedByDocuments(fuse({ lexical, vector }, vectorWeight)),
    mode: vector.length === 0 ? "lexical" : lexical.length === 0 ? "vector" : "hybrid",
    evidence,
    notes: [
      meaning.note,
      words.hits.length > 0 ? meaning.noteBesideHits : undefined,
      isMeaningAlone ? meaningAlone : undefined,
    ].filter((note) => note !== undefined),
  };
}

/** The result of a vector leg of weight 0, which is not run. */
const unused: VectorLegResult = { hits: [], fusionWeight: 0 };

const meaningAlone = "None of the words asked for is in a passage, so results come from meaning alone.";
