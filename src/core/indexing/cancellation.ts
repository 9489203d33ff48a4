// How a cancelled run ends.
import { KbError } from "../errors.js";
import { unlessAborted } from "../patience.js";

const cancelled = "Indexing was cancelled; what was done so far is kept";

/** @throws KbError KB_CANCELLED if the signal is aborted */
export function refuseIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new KbError("KB_CANCELLED", cancelled);
}

/** What a plugin answers, unless the run is cancelled first. @throws KbError KB_CANCELLED */
export function unlessCancelled<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return unlessAborted(work, signal, cancelled);
}
