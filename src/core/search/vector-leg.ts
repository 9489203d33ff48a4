// The leg that searches by meaning. It stands aside, and says why, where the embedder cannot help.
import type { ChunkFilter, Logger, ScoredChunk, VectorStore } from "../plugin-api.js";
import { throwIfCancelled } from "./cancelled.js";
import { failureNote } from "./failure-note.js";
import { logOnce } from "./log-once.js";
import type { QueryEmbedder } from "./patient-embedder.js";

export interface VectorLegResult {
  readonly hits: readonly ScoredChunk[];
  /** The weight that the embedder asks for; 0 where the leg stood aside. */
  readonly fusionWeight: number;
  /** Why the leg found nothing, in words for the reader. */
  readonly note?: string;
  /** The same where only what passes the filters is without vectors: nothing to say where the words found nothing too. */
  readonly noteBesideHits?: string;
}

export interface VectorLegParts {
  readonly store: VectorStore;
  readonly embedder: () => Promise<QueryEmbedder>;
  /** Why the embedder's vectors must not be compared with those of the index; absent where they always may. */
  readonly vectorMismatch?: () => Promise<string | undefined>;
  readonly logger?: Logger;
}

/** @throws KbError KB_CANCELLED; KB_STORE_* of the store */
export async function searchByMeaning(
  parts: VectorLegParts,
  request: { readonly text: string; readonly filter: ChunkFilter; readonly depth: number },
  signal: AbortSignal,
): Promise<VectorLegResult> {
  const mismatch = async (): Promise<string | undefined> => parts.vectorMismatch?.();
  const before = await mismatch();
  if (before !== undefined) return aside(before);
  let vector: Float32Array | null;
  let fusionWeight: number;
  try {
    const embedder = await parts.embedder();
    fusionWeight = embedder.fusionWeight;
    vector = await embedder.embedQuery(request.text, signal);
  } catch (error) {
    throwIfCancelled(signal, error);
    logOnce(parts.logger, "the query could not be embedded", error);
    return aside(failureNote("embedder", error, "results come from words alone"));
  }
  if (vector === null) {
    return aside(
      "The embedder ([embedder] in kb-mcp.toml) cannot read this query, for its language or for want of words, so results come from words alone.",
    );
  }
  let hits: readonly ScoredChunk[];
  try {
    hits = await parts.store.vectorSearch(vector, request.depth, request.filter);
  } catch (error) {
    const meanwhile = await mismatch();
    if (meanwhile === undefined) throw error;
    return aside(meanwhile);
  }
  // Another process may have built the index anew meanwhile, with another model.
  const after = await mismatch();
  if (after !== undefined) return aside(after);
  if (hits.length > 0) return { hits, fusionWeight };
  const { chunks, vectors } = await parts.store.counts();
  // While a first run begins there is nothing to stand aside from.
  if (chunks === 0) return { hits: [], fusionWeight: 0 };
  if (vectors === 0) return aside("No passage has a vector, so results come from words alone.");
  return {
    hits: [],
    fusionWeight: 0,
    noteBesideHits: "No passage that passes the filters has a vector, so only words could be searched.",
  };
}

function aside(note: string): VectorLegResult {
  return { hits: [], fusionWeight: 0, note };
}
