// How long others are waited for: work that nobody can stop is left behind where somebody stops waiting for it.
import { KbError } from "./errors.js";

/**
 * What the work resolves to, unless the signal is aborted first; the work goes on then.
 * @param cancelled what the caller was doing, as the message of the error
 * @throws KbError KB_CANCELLED
 */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  cancelled = "The search was cancelled",
): Promise<T> {
  if (signal === undefined) return work;
  let stop: (() => void) | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        stop = () => reject(new KbError("KB_CANCELLED", cancelled));
        if (signal.aborted) stop();
        else signal.addEventListener("abort", stop, { once: true });
      }),
    ]);
  } finally {
    if (stop !== undefined) signal.removeEventListener("abort", stop);
  }
}

/**
 * What the work resolves to, if it does so in time; it goes on where nobody waits for it any more.
 * @param patienceMs milliseconds
 * @throws KbError KB_CANCELLED if the signal is aborted; what `late` makes
 */
export async function within<T>(
  work: Promise<T>,
  patienceMs: number,
  late: () => Error,
  signal?: AbortSignal,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const lateness = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), patienceMs);
  });
  try {
    return await unlessAborted(Promise.race([work, lateness]), signal);
  } finally {
    clearTimeout(timer);
  }
}
