// Tells an embedder that cannot work at all from a text that it cannot take.
import { isKbError, KbError } from "../errors.js";

/** An answer that no text is to blame for: the embedder does not keep to its interface. */
export class EmbedderAnswerError extends KbError {
  constructor(message: string) {
    super("KB_EMBED_FAILED", message, {
      hint: "Report this to the author of the embedder; until it is mended, use another: [embedder] in kb-mcp.toml.",
    });
  }
}

/**
 * Whether an error of the embedder would meet every other text too: a server that is not there, a key that is
 * refused, a model that is missing. Skipping documents one by one would then only hide it.
 */
export function concernsEveryText(error: unknown): boolean {
  if (error instanceof EmbedderAnswerError) return true;
  return isKbError(error) && error.code !== "KB_EMBED_FAILED" && /^KB_(?:EMBED|MODEL)_/u.test(error.code);
}

/** Whether an error says that the embedder cannot be made, or does not work: a search then goes on without it. */
export function isOfEmbedder({ code }: KbError): boolean {
  return code === "KB_PLUGIN_CREATE" || /^KB_(?:EMBED|MODEL)_/u.test(code);
}
