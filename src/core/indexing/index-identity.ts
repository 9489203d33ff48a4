// What an index was built with. Vectors and terms of different makes are never mixed: a difference is an error
// that names it and the command to run.
import { KbError } from "../errors.js";
import type { Embedder, VectorStore } from "../plugin-api.js";
import { fold } from "../text/fold.js";
import { analyserVersion } from "../search/analyser/analyse-chunk.js";
import { chunkerVersion } from "./chunker.js";

/** Layout of the stored records; raised when a stored field changes its meaning. */
const schemaVersion = "2";

/** Metadata entry that is "yes" once a first run has ended. */
export const completeKey = "complete";

/** The entries that must be equal for an index to be used, with their names for people. */
const identityLabels = {
  schema: "index layout",
  embedder: "embedder",
  model: "embedding model",
  dimensions: "vector dimensions",
  analyser: "text analysis",
  chunker: "chunking",
  exclude_headings: "exclude_headings",
} as const;

export type IndexIdentity = Readonly<Record<keyof typeof identityLabels, string>>;

/** The identity of an index that this configuration would build. */
export function indexIdentity(
  embedderId: string,
  embedder: Embedder,
  excludeHeadings: readonly string[],
): IndexIdentity {
  const { target, max } = embedder.chunkTokens;
  const unit = embedder.countTokens === undefined ? "" : " own tokens";
  return {
    schema: schemaVersion,
    embedder: embedderId,
    model: embedder.model,
    dimensions: String(embedder.dimensions),
    analyser: analyserVersion,
    chunker: `${chunkerVersion}:${target}-${max}${unit}`,
    exclude_headings: JSON.stringify(excludeHeadings.map(fold).sort()),
  };
}

/** The differences between an index and a configuration, in words; empty if they fit. */
export function identityDifferences(
  meta: Readonly<Record<string, string>>,
  identity: IndexIdentity,
): string[] {
  return (Object.keys(identityLabels) as (keyof typeof identityLabels)[])
    .filter((key) => meta[key] !== identity[key])
    .map((key) => `${identityLabels[key]} was ${meta[key] ?? "unknown"}, now ${identity[key]}`);
}

/**
 * The metadata of an index that fits this configuration, or undefined if there is no index.
 * @throws KbError KB_STORE_MISMATCH
 */
export async function readFittingMeta(
  store: VectorStore,
  identity: IndexIdentity,
): Promise<Readonly<Record<string, string>> | undefined> {
  const meta = await store.readMeta();
  if (meta === undefined) return undefined;
  const differences = identityDifferences(meta, identity);
  if (differences.length > 0)
    throw new KbError(
      "KB_STORE_MISMATCH",
      `The index was built with other settings: ${differences.join("; ")}`,
    );
  return meta;
}
