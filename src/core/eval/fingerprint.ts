// What a run depends on, part by part, so that two runs can be told to be comparable or why they are not.
import { createHash } from "node:crypto";
import type { IndexIdentity } from "../indexing/index-identity.js";
import type { VectorStore } from "../plugin-api.js";
import type { SearchOptions } from "../search/search.js";
import { fingerprintParts, type FingerprintPart } from "./fingerprint-parts.js";
import type { GoldenSet } from "./golden-set.js";

/** What can be compared, part by part: equal or not. */
export type Fingerprint = Readonly<Record<FingerprintPart, string>>;

export async function fingerprintOf(
  golden: GoldenSet,
  identity: IndexIdentity,
  options: SearchOptions,
  reranker: string | undefined,
  store: VectorStore,
): Promise<Fingerprint> {
  // How much is shown has no part in how it is ranked, nor has how variety would be chosen.
  const shown: (keyof SearchOptions)[] = ["limit", "maxReplyTokens", "parentRetriever"];
  const variety: (keyof SearchOptions)[] = options.mmr === true ? [] : ["mmrLambda", "mmrSameDocPenalty"];
  const idle: readonly string[] = [...shown, ...variety];
  const settings = Object.entries(options)
    .filter(([name]) => !idle.includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    questions: golden.fingerprint.slice(0, 16),
    settings: digest(JSON.stringify([settings, reranker ?? null])),
    model: `${identity.embedder}:${identity.model}:${identity.dimensions}`,
    analyser: `${identity.schema}:${identity.analyser}`,
    chunker: `${identity.chunker}:${digest(identity.exclude_headings)}`,
    documents: await contentOf(store),
  };
}

/** The parts in which two fingerprints differ. */
export function differences(a: Fingerprint, b: Fingerprint): FingerprintPart[] {
  return (Object.keys(fingerprintParts) as FingerprintPart[]).filter((part) => a[part] !== b[part]);
}

/** Paths and contents of everything indexed, in an order that no history of the index changes. */
async function contentOf(store: VectorStore): Promise<string> {
  const lines: string[] = [];
  for await (const batch of store.documents(["path", "contentHash"]))
    for (const { path, contentHash } of batch) lines.push(`${contentHash} ${path}`);
  return digest(lines.sort().join("\n"));
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
