// Turns what LanceDB throws into errors of kb-mcp. LanceDB's own messages hold absolute paths: they stay in `cause`.
import { KbError, isKbError } from "../../../core/plugin-api.js";

/** What LanceDB says when files are missing, cut short or hold something else. */
const corruption =
  /corrupt|not found|no such file|failed to fill whole buffer|sufficient data|unexpected (?:eof|end)|invalid (?:magic|manifest|range)|failed to decode|checksum/i;

/** A KbError as it is; anything else as KB_STORE_CORRUPT or KB_STORE_FAILED with the error as its cause. */
export function asStoreError(what: string, error: unknown): KbError {
  if (isKbError(error)) return error;
  const corrupt = corruption.test(messageOf(error));
  return corrupt
    ? new KbError("KB_STORE_CORRUPT", `The index is damaged: ${what} failed`, { cause: error })
    : new KbError("KB_STORE_FAILED", `The index could not be used: ${what} failed`, { cause: error });
}

function messageOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : String(error);
}
