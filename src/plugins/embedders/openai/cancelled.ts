// What embedding that was cancelled ends with.
import { KbError } from "../../../core/plugin-api.js";

/** @throws KbError KB_CANCELLED if the signal is aborted */
export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new KbError("KB_CANCELLED", "Embedding was cancelled");
}
