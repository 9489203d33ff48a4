// The leg that searches by meaning. It stands aside, and says why, where the embedder cannot help.
import { errorCodes, isKbError } from "../errors.js";
import type { ChunkFilter, Embedder, Logger, ScoredChunk, VectorStore } from "../plugin-api.js";
import { throwIfCancelled } from "./cancelled.js";

export interface VectorLegResult {
  readonly hits: readonly ScoredChunk[];
  /** The weight that the embedder asks for; 0 where the leg stood aside. */
  readonly fusionWeight: number;
  /** Why the leg found nothing, in words for the reader. */
  readonly note?: string;
  /** The same where only what passes the filters is without vectors: nothing to say where the words found nothing too. */
  readonly noteBesideHits?: string;
}

/** UTF-16 units of an embedder's error that a note repeats. */
const shownLength = 300;

/** @throws KbError KB_CANCELLED; KB_STORE_* of the store */
export async function searchByMeaning(
  parts: {
    readonly store: VectorStore;
    readonly embedder: () => Promise<Embedder>;
    readonly logger?: Logger;
  },
  request: { readonly text: string; readonly filter: ChunkFilter; readonly depth: number },
  signal: AbortSignal,
): Promise<VectorLegResult> {
  let vector: Float32Array | null;
  let fusionWeight: number;
  try {
    const embedder = await parts.embedder();
    fusionWeight = embedder.fusionWeight;
    vector = await embedder.embedQuery(request.text, signal);
  } catch (error) {
    throwIfCancelled(signal, error);
    parts.logger?.warn(`the query could not be embedded: ${String(error)}`);
    const reason =
      isKbError(error) && errorCodes[error.code].audience === "caller"
        ? ` (${error.code}: ${error.message.slice(0, shownLength)})`
        : "";
    return aside(
      `The embedder failed${reason}, so results come from words alone; check [embedder] in kb-mcp.toml.`,
    );
  }
  if (vector === null) {
    return aside(
      "The embedder ([embedder] in kb-mcp.toml) cannot read this query, for its language or for want of words, so results come from words alone.",
    );
  }
  const hits = await parts.store.vectorSearch(vector, request.depth, request.filter);
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
