// Checks a request and fills its defaults in. Knows no store.
import { KbError } from "../errors.js";
import { limits } from "../limits.js";
import type { ChunkFilter } from "../plugin-api.js";
import { compileFilters, type QualityFilter } from "../search/filters.js";
import { readExcludedEntries, type ExcludedEntry } from "./exclude-paths.js";
import {
  defaultMinSimilarity,
  seedStrategies,
  type GraphRequest,
  type GraphSettings,
} from "./graph-reply.js";

export interface GraphPlan {
  readonly settings: GraphSettings;
  /** What a node must meet; the start need not. */
  readonly filter: ChunkFilter;
  /** What the walk does not enter. */
  readonly excluded: readonly ExcludedEntry[];
}

/** @throws KbError KB_GRAPH_OPTION for a setting out of its range, KB_SEARCH_FILTER for a filter */
export function planGraph(request: GraphRequest, quality: QualityFilter): GraphPlan {
  const { category, topic } = request;
  const { filter, applied } = compileFilters(
    { ...(category !== undefined && { category }), ...(topic !== undefined && { topic }) },
    quality,
    (deep) => `use ${JSON.stringify(deep.split("/", 2).join("/"))}`,
  );
  const excluded = readExcludedEntries(request.exclude_paths ?? []);
  const seedStrategy = request.seed_strategy ?? "all_chunks";
  if (!seedStrategies.includes(seedStrategy))
    throw refusal("seed_strategy", seedStrategy, `one of ${seedStrategies.join(", ")}`);
  const minSimilarity = request.min_similarity ?? defaultMinSimilarity;
  if (!(minSimilarity >= 0 && minSimilarity <= 1))
    throw refusal("min_similarity", minSimilarity, "a number from 0 to 1");
  return {
    settings: {
      depth: whole("depth", request.depth ?? limits.graphDepthDefault, limits.graphDepthMax),
      fan_out: whole("fan_out", request.fan_out ?? limits.graphFanOutDefault, limits.graphFanOutMax),
      min_similarity: minSimilarity,
      seed_strategy: seedStrategy,
      dedup_by_path: request.dedup_by_path ?? true,
      max_nodes: whole("max_nodes", request.max_nodes ?? limits.graphNodesDefault, limits.graphNodesMax),
      max_seed_chunks: whole(
        "max_seed_chunks",
        request.max_seed_chunks ?? limits.graphSeedsDefault,
        limits.graphSeedsMax,
      ),
      ...(applied.category !== undefined && { category: applied.category }),
      ...(applied.topic !== undefined && { topic: applied.topic }),
      ...(excluded.length > 0 && { exclude_paths: excluded.map(({ written }) => written) }),
    },
    filter,
    excluded,
  };
}

function whole(name: string, value: number, most: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw refusal(name, value, `a whole number from 1 to ${most}`);
}

/** Characters of a refused value that an error repeats. */
const shownLength = 80;

function refusal(name: string, value: unknown, expected: string): KbError {
  const shown = JSON.stringify(value).slice(0, shownLength);
  return new KbError("KB_GRAPH_OPTION", `${name}: ${shown} is not ${expected}`);
}
