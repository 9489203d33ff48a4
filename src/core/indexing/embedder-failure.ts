// Tells an embedder that cannot work at all from a text that it cannot take.
import { isKbError } from "../errors.js";

/**
 * Whether an error of the embedder would meet every other text too: a server that is not there, a key that is
 * refused, a model that is missing. Skipping documents one by one would then only hide it.
 */
export function concernsEveryText(error: unknown): boolean {
  return isKbError(error) && error.code !== "KB_EMBED_FAILED" && /^KB_(?:EMBED|MODEL)_/u.test(error.code);
}
