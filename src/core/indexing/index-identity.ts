// What an index was built with, and what a difference means. Vectors and terms of different makes are never mixed: a
// difference is named together with the command that mends it.
import { KbError } from "../errors.js";
import type { Embedder, VectorStore } from "../plugin-api.js";
import { fold } from "../text/fold.js";
import { shortened } from "../text/shortened.js";
import { analyserVersion } from "../search/analyser/analyser-version.js";
import { chunkerVersion } from "./chunker-version.js";

/** Layout of the stored records; raised when a stored field changes its meaning. */
const schemaVersion = "2";

/** Metadata entry that is "yes" once a first run has ended. */
export const completeKey = "complete";

/**
 * What an index with another value is good for:
 *
 * - `nothing`: what is stored cannot be read, or would be searched with other words than it holds
 * - `words`: a vector of the configured embedder must not be compared with those that are stored
 * - `search`: all of it can be searched; only writing to it would mix two makes
 */
type GoodFor = "nothing" | "words" | "search";

/** The entries that must be equal, with their names for people. */
const identityParts = {
  schema: { label: "index layout", goodFor: "nothing" },
  embedder: { label: "embedder", goodFor: "words" },
  model: { label: "embedding model", goodFor: "words" },
  dimensions: { label: "vector dimensions", goodFor: "words" },
  analyser: { label: "text analysis", goodFor: "nothing" },
  chunker: { label: "chunking", goodFor: "search" },
  exclude_headings: { label: "exclude_headings", goodFor: "nothing" },
} as const satisfies Record<string, { label: string; goodFor: GoodFor }>;

type IdentityKey = keyof typeof identityParts;

export type IndexIdentity = Readonly<Record<IdentityKey, string>>;

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

/** As much of it as is known where the embedder cannot be made. */
export function identityWithoutEmbedder(
  embedderId: string,
  excludeHeadings: readonly string[],
): Partial<IndexIdentity> {
  const { schema, analyser, exclude_headings } = indexIdentity(embedderId, noEmbedder, excludeHeadings);
  return { schema, embedder: embedderId, analyser, exclude_headings };
}

/** Only what does not depend on it is used. */
const noEmbedder = { model: "", dimensions: 0, chunkTokens: { target: 0, max: 0 } } as Embedder;

/** The differences between an index and a configuration; empty if they fit. */
export interface IdentityDifferences {
  /** What the index is good for; undefined if nothing differs. */
  readonly goodFor: GoodFor | undefined;
  /** What changed, in words, with the differences that are worst for it. */
  readonly changes: readonly string[];
}

/** @param identity of the configuration, as far as it is known */
export function identityDifferences(
  meta: Readonly<Record<string, string>>,
  identity: Partial<IndexIdentity>,
): IdentityDifferences {
  const different = (Object.keys(identity) as IdentityKey[]).filter((key) => meta[key] !== identity[key]);
  const goodFor = (["nothing", "words", "search"] as const).find((use) =>
    different.some((key) => identityParts[key].goodFor === use),
  );
  // A refusal names all; where search goes on, what is worst says enough: the same command mends the rest.
  const named =
    goodFor === "words" ? different.filter((key) => identityParts[key].goodFor === goodFor) : different;
  return {
    goodFor,
    changes: named.map((key) => {
      const shown = (value = "unknown"): string => shortened(value, valueLength);
      return `${identityParts[key].label} was ${shown(meta[key])}, now ${shown(identity[key])}`;
    }),
  };
}

/** Characters of a value that a message shows. */
const valueLength = 160;

export function mismatch({ changes }: IdentityDifferences): KbError {
  return new KbError("KB_STORE_MISMATCH", `The index was built with other settings: ${changes.join("; ")}`);
}

/** One sentence for the readers of replies, where search goes on in spite of a difference; else undefined. */
export function differenceNote({ goodFor, changes }: IdentityDifferences): string | undefined {
  const what = `The index was built with other settings (${changes.join("; ")})`;
  const rebuild = "build it anew with kb-mcp index --force, or rebuild_index with force set to true";
  if (goodFor === "words")
    return `${what}, so search uses words alone and changed files are not taken in: to search by meaning again, ${rebuild}.`;
  if (goodFor === "search")
    return `${what}: search goes on with it, but changed files are not taken in until you ${rebuild}.`;
  return undefined;
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
  if (differences.goodFor !== undefined) throw mismatch(differences);
  return meta;
}
