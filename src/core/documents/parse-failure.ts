// Puts what went wrong with a file into words that a tool's caller may read. A parser is a stranger: of what it says
// itself nothing gets out that names a place of the machine; the log has it all.
import { KbError, mayBeShown } from "../errors.js";
import type { Logger } from "../plugin-api.js";
import { receivedCause, type SentError } from "../sent-error.js";
import type { ParseLimits, ParseOutcome } from "./parse-process.js";

const seeLog = "The log of kb-mcp, on its standard error, says why.";

type Failure = Exclude<ParseOutcome, { kind: "text" | "chunks" }>;

/**
 * The error for a file that was not parsed.
 * @param parser id of the parser
 */
export function parseFailure(
  outcome: Failure,
  { path, parser }: { readonly path: string; readonly parser: string },
  { milliseconds, heapMiB }: ParseLimits,
  logger: Logger,
): KbError {
  switch (outcome.kind) {
    case "failed":
      return restoreError(outcome.error, path, parser, logger);
    case "timeout":
      return new KbError(
        "KB_PARSE_TIMEOUT",
        `The parser ${parser} did not finish ${path} within ${milliseconds / 1000} s`,
      );
    case "memory":
      return new KbError(
        "KB_PARSE_MEMORY",
        `The parser ${parser} needed more than ${heapMiB} MiB of memory for ${path}`,
      );
    case "ended": {
      if (outcome.detail !== undefined)
        logger.warn(`${path}: the parse process ended ${outcome.how}: ${outcome.detail}`);
      return new KbError(
        "KB_PARSE_FAILED",
        `The parser ${parser} could not read ${path}: its process ended ${outcome.how}`,
        outcome.detail === undefined ? {} : { hint: seeLog },
      );
    }
    case "stopped":
      return cancelled(path);
  }
}

/** The error of a file that nobody waits for any more. */
export function cancelled(path: string): KbError {
  return new KbError("KB_CANCELLED", `${path} was not parsed: cancelled`);
}

function restoreError(sent: SentError, path: string, parser: string, logger: Logger): KbError {
  const { message, hint, stack = message } = sent;
  const own = message.replaceAll(path, "");
  const tells = namesPlace(own) || namesPlace(hint ?? "");
  const cause = receivedCause(sent);
  if (mayBeShown(sent) && !tells) {
    logger.debug(`${path}: ${stack}`);
    const text = message.includes(path) ? message : `${path}: ${message}`;
    return new KbError(sent.code, text, { cause, ...(hint !== undefined && { hint }) });
  }
  const failed = `The parser ${parser} could not read ${path}`;
  if (!tells) {
    logger.debug(`${path}: ${stack}`);
    return new KbError("KB_PARSE_FAILED", `${failed}: ${message}`, { cause });
  }
  logger.warn(`${failed}: ${stack.includes(message) ? stack : `${message}\n${stack}`}`);
  return new KbError(mayBeShown(sent) ? sent.code : "KB_PARSE_FAILED", failed, {
    cause,
    hint: seeLog,
  });
}

/**
 * Whether a text may hold an absolute path of some system: where such a path ends cannot be told, since it may hold
 * spaces. Says yes too often rather than once too little.
 */
export function namesPlace(text: string): boolean {
  return places.some((place) => place.test(text));
}

const places = [
  // /home/…, (/srv/…), ='/tmp/…': not and/or, ./a, </p>.
  /(?<![\w.<~/-])\/[^\s/>]/,
  // -I/home/…
  /\/(?:home|Users|root|usr|var|tmp|opt|etc|srv|mnt|Volumes|private)\//,
  /~[\w.-]*[/\\]/,
  /\bfile:[/\\]/i,
  // C:\… and C:/…: not http://.
  /(?<![A-Za-z])[A-Za-z]:[/\\]/,
  // \\server\…, \\?\C:\… and //server/…: not http://.
  /\\\\[\w.?$]/,
  /(?<![\w:/])\/\/[^\s/]/,
];
