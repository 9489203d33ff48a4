// Lets all callers of one process share a download. It is broken off when the last of them has gone.
import { KbError, type PluginHost, type PreparationProgress } from "../../../core/plugin-api.js";

interface Shared {
  readonly ended: Promise<void>;
  readonly listeners: Set<PluginHost["progress"]>;
  readonly stop: AbortController;
  latest?: PreparationProgress;
}

const running = new Map<string, Shared>();

/**
 * @param key equal for what may be shared
 * @throws KbError KB_CANCELLED where this caller's signal is aborted; whatever `start` throws
 */
export async function sharedDownload(
  key: string,
  { progress, signal }: { readonly progress: PluginHost["progress"]; readonly signal: AbortSignal },
  start: (progress: PluginHost["progress"], signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const shared = running.get(key) ?? begin(key, start);
  // A function of its own: one caller may ask twice with the same listener.
  const listener = (event: PreparationProgress): void => progress(event);
  shared.listeners.add(listener);
  if (shared.latest !== undefined) listener(shared.latest);
  const leave = (): void => {
    shared.listeners.delete(listener);
    if (shared.listeners.size > 0) return;
    if (running.get(key) === shared) running.delete(key);
    shared.stop.abort();
  };
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new KbError("KB_CANCELLED", "The download of the model was cancelled"));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    await Promise.race([shared.ended, aborted]);
  } finally {
    if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
    leave();
  }
}

function begin(
  key: string,
  start: (progress: PluginHost["progress"], signal: AbortSignal) => Promise<void>,
): Shared {
  const listeners = new Set<PluginHost["progress"]>();
  const stop = new AbortController();
  const tell = (event: PreparationProgress): void => {
    shared.latest = event;
    for (const listener of listeners) listener(event);
  };
  const ended = start(tell, stop.signal).finally(() => {
    if (running.get(key) === shared) running.delete(key);
  });
  // Those who left do not hear how it ended.
  ended.catch(() => undefined);
  const shared: Shared = { ended, listeners, stop };
  running.set(key, shared);
  return shared;
}
