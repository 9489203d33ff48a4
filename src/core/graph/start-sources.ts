// From where a walk sets out: the passages of the start, each by itself or taken together.
import type { StoredChunk, StoredDocument } from "../plugin-api.js";
import type { QualityFilter } from "../search/filters.js";
import type { GraphSettings } from "./graph-reply.js";
import type { Source } from "./neighbours.js";

/** A source, and the passage it is; several passages taken together are none of them. */
export interface StartSource extends Source {
  readonly chunk?: StoredChunk;
}

export interface StartSources {
  readonly sources: readonly StartSource[];
  /** Passages that were not followed because there are too many. */
  readonly leftOut: number;
}

/**
 * Passages below the threshold of quality are not followed, unless there are no others; of more than
 * `max_seed_chunks` as many are, spread evenly over the document.
 */
export function startSources(
  { title }: StoredDocument,
  chunks: readonly StoredChunk[],
  settings: GraphSettings,
  quality: QualityFilter,
): StartSources {
  const good = quality.enabled ? chunks.filter((chunk) => chunk.quality >= quality.threshold) : chunks;
  const all = good.length > 0 ? good : chunks;
  const count = Math.min(all.length, settings.max_seed_chunks);
  const seeds = Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)]);
  const followed = seeds.filter((chunk) => chunk !== undefined);
  const leftOut = all.length - count;
  const single = followed.map((chunk) => ({ chunk, vector: chunk.vector, passages: [{ ...chunk, title }] }));
  if (settings.seed_strategy === "all_chunks" || single.length === 0) return { sources: single, leftOut };
  const vectors = followed.flatMap(({ vector }) => (vector === null ? [] : [vector]));
  const passages = single.flatMap((source) => source.passages);
  return { sources: [{ vector: meanOf(vectors), passages }], leftOut };
}

/** The direction of the mean of unit vectors; null without any, or where they cancel each other out. */
function meanOf(vectors: readonly Float32Array[]): Float32Array | null {
  const sum = new Float64Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) for (const [at, value] of vector.entries()) sum[at] = (sum[at] ?? 0) + value;
  const length = Math.hypot(...sum);
  return length > 1e-9 ? Float32Array.from(sum, (value) => value / length) : null;
}
