// Decides what a client may learn of an error. The only place that puts an error into words for a client, so
// that nothing of the machine gets out.
import { errorCodes, isKbError } from "../../core/index.js";
import type { ErrorCode } from "../../core/index.js";
import type { Logger } from "../../core/plugin-api.js";

/** An error in the words a client is shown. */
export interface Failure {
  readonly code: ErrorCode;
  /** Without a full stop at its end. */
  readonly message: string;
  readonly hint: string;
}

/** What a model can do itself, where the table's hint speaks to somebody at a command line. */
const hintsForModels: Partial<Record<ErrorCode, string>> = {
  KB_STORE_EMPTY: "Call rebuild_index, then ask again.",
  KB_STORE_MISMATCH: "Call rebuild_index with force set to true, then ask again.",
  KB_STORE_CORRUPT: "Call rebuild_index with force set to true, then ask again.",
};

/**
 * Errors meant for a caller or about one file are shown in full. Those of start-up may name paths of the machine,
 * so only their code and their advice are shown; of all others, that there was one. What is held back goes to the
 * log.
 * @param what was attempted, for the log
 */
export function describeFailure(error: unknown, what: string, logger: Logger): Failure {
  if (!isKbError(error)) return internal(error, what, logger);
  const { audience, hint } = errorCodes[error.code];
  switch (audience) {
    case "caller":
    case "file":
      logger.debug(`${what}: ${error.code}: ${error.message}`);
      return {
        code: error.code,
        message: error.message,
        // An error of another copy of the class, or from another thread, may have lost its hint.
        hint: error.hint && error.hint !== hint ? error.hint : (hintsForModels[error.code] ?? hint),
      };
    case "startup":
      logger.error(`${what}: ${error.code}: ${trace(error)}`);
      return { code: error.code, message: "kb-mcp is not set up as it should be; its log says more", hint };
    case "nobody":
      return internal(error, what, logger);
  }
}

function internal(error: unknown, what: string, logger: Logger): Failure {
  logger.error(`${what}: internal error: ${trace(error)}`);
  return { code: "KB_INTERNAL", message: "internal error", hint: errorCodes.KB_INTERNAL.hint };
}

/** The whole story of an error, causes included. For the log only. */
export function trace(error: unknown): string {
  if (typeof error !== "object" || error === null || !("message" in error)) return String(error);
  const { message, stack, cause } = error as { message: unknown; stack?: unknown; cause?: unknown };
  const own = typeof stack === "string" ? stack : String(message);
  return cause === undefined ? own : `${own}\ncaused by: ${trace(cause)}`;
}
