// An error on its way between processes: an Error loses its code and its class when it is sent.
import { isKbError } from "./errors.js";

export interface SentError {
  /** Of a KbError. */
  readonly code?: string;
  readonly message: string;
  readonly hint?: string;
  readonly stack?: string;
  /** What a KbError says that it is about. */
  readonly cause?: SentError;
}

export function sentError(error: unknown): SentError {
  const stack =
    typeof error === "object" && error !== null && "stack" in error ? String(error.stack) : undefined;
  return {
    ...(isKbError(error) && {
      code: error.code,
      hint: error.hint,
      ...(error.cause !== undefined && !isKbError(error.cause) && { cause: sentError(error.cause) }),
    }),
    message: firstLineOf(error),
    ...(stack !== undefined && { stack }),
  };
}

/** What a sent error becomes where it arrives: the cause of an error that says more. */
export function receivedCause({ cause: original, message, stack }: SentError): Error {
  if (original !== undefined) return receivedCause(original);
  const cause = new Error(message);
  if (stack !== undefined) cause.stack = stack;
  return cause;
}

/** The message of whatever was thrown, on one line: a plugin's may be a page. */
export function firstLineOf(error: unknown): string {
  const message = typeof error === "object" && error !== null && "message" in error ? error.message : error;
  return String(message).split("\n")[0]?.slice(0, 500) ?? "";
}
