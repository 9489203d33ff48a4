// Tells an embedder that cannot work at all from a text that it cannot take.
import { isKbError, type KbError } from "../errors.js";

/**
 * Whether an error of the embedder would meet every other text too: a server that is not there, a key that is
 * refused, a model that is missing. Skipping documents one by one would then only hide it.
 */
export function concernsEveryText(error: unknown): boolean {
  return isKbError(error) && error.code !== "KB_EMBED_FAILED" && /^KB_(?:EMBED|MODEL)_/u.test(error.code);
}

/** Whether an error says that the embedder cannot be made, or does not work: a search then goes on without it. */
export function isOfEmbedder({ code }: KbError): boolean {
  return code === "KB_PLUGIN_CREATE" || /^KB_(?:EMBED|MODEL)_/u.test(code);
}
