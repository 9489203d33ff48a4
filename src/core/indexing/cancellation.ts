// How a cancelled run ends.
import { KbError } from "../errors.js";

/** @throws KbError KB_CANCELLED if the signal is aborted */
export function refuseIfCancelled(signal: AbortSignal): void {
  if (signal.aborted)
    throw new KbError("KB_CANCELLED", "Indexing was cancelled; what was done so far is kept");
}
