// What a search that was cancelled ends with, whatever the part that noticed threw.
import { isKbError, KbError } from "../errors.js";

/** @throws KbError KB_CANCELLED if the signal is aborted or the error says that the work was cancelled */
export function throwIfCancelled(signal: AbortSignal, error?: unknown): void {
  if (signal.aborted || (isKbError(error) && error.code === "KB_CANCELLED")) {
    throw new KbError("KB_CANCELLED", "The search was cancelled", { cause: error });
  }
}
