// Ends what is in use when kb-mcp closes: a part that does not end must not keep the others from it, nor the process.
import { within } from "./patience.js";
import type { Logger } from "./plugin-api.js";
import { firstLineOf } from "./sent-error.js";

/** Workers and connections end in far less; a client that has gone away is not to leave a process behind for long. */
const usualPatienceMs = 5_000;

/**
 * Resolves when something has ended, or not within the patience, or not well: the log says which.
 * @param what names it, as the subject of a sentence
 */
export async function endSoon(
  what: string,
  end: () => Promise<unknown>,
  logger: Logger,
  patienceMs = usualPatienceMs,
): Promise<void> {
  const late = (): Error => new Error(`did not end within ${Math.ceil(patienceMs / 1000)} s`);
  try {
    await within(Promise.resolve().then(end), patienceMs, late);
  } catch (error) {
    logger.warn(`closing: ${what}: ${firstLineOf(error)}`);
  }
}
