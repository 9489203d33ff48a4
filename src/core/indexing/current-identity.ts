// The identity of the configuration in use, as far as it can be told. Reads no index.
import { isKbError, type KbError } from "../errors.js";
import type { Embedder } from "../plugin-api.js";
import { isOfEmbedder } from "./embedder-failure.js";
import { identityWithoutEmbedder, indexIdentity, type IndexIdentity } from "./index-identity.js";

export interface IdentityDependencies {
  readonly excludeHeadings: readonly string[];
  readonly embedderId: string;
  /** The embedder, or soon an error: whoever reads the state waits for it. */
  readonly embedder: () => Promise<Embedder>;
}

/**
 * The identity of the configuration. An embedder that cannot be made does not keep the words from being searched: what
 * does not depend on it is compared all the same.
 * @param built with what the index was built; where another embedder is named, its own need not be made
 */
export async function currentIdentity(
  { embedder, embedderId, excludeHeadings }: IdentityDependencies,
  built: Readonly<Record<string, string>>,
): Promise<{ identity: Partial<IndexIdentity>; isWhole: boolean; failure?: KbError }> {
  const known = identityWithoutEmbedder(embedderId, excludeHeadings);
  if (built["embedder"] !== embedderId) return { identity: known, isWhole: true };
  try {
    return { identity: indexIdentity(embedderId, await embedder(), excludeHeadings), isWhole: true };
  } catch (error) {
    if (!isKbError(error) || !isOfEmbedder(error)) throw error;
    return { identity: known, isWhole: false, failure: error };
  }
}
