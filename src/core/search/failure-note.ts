// What a reply says of a plugin that failed.
import { namesPlace } from "../documents/parse-failure.js";
import { errorCodes, isKbError } from "../errors.js";

/** Characters of a message or an advice that a note repeats. */
const shownLength = 300;

/**
 * What it was, what follows and what to do, unless that is not for a caller to know.
 * @param consequence completes "so …"
 */
export function failureNote(part: "embedder" | "reranker", error: unknown, consequence: string): string {
  const table = part === "embedder" ? "[embedder]" : "the reranker";
  const check = `check ${table} in kb-mcp.toml.`;
  if (!isKbError(error)) return `The ${part} failed, so ${consequence}; ${check}`;
  // What is wrong with options is said at a start to who wrote them, and here to who finds out.
  const isShown =
    errorCodes[error.code].audience === "caller" ||
    (error.code === "KB_PLUGIN_OPTIONS" && !namesPlace(error.message));
  const reason = isShown ? `${error.code}: ${error.message.slice(0, shownLength)}` : error.code;
  // The advice of the failure of one text is about indexing.
  const advice =
    error.code === "KB_EMBED_FAILED"
      ? `; ${check}`
      : `. ${(isShown && error.hint ? error.hint : errorCodes[error.code].hint).slice(0, shownLength)}`;
  return `The ${part} failed (${reason}), so ${consequence}${advice}`;
}
