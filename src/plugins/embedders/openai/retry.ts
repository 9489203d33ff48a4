// Tries again what may go better later.
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "../../../core/plugin-api.js";
import { throwIfCancelled } from "./cancelled.js";
import { RequestFailure } from "./failure.js";

export interface RetryPlan {
  readonly retries: number;
  /** Milliseconds before the first retry; doubled for each further one, up to 30 seconds. */
  readonly firstWaitMs: number;
  /** The longest that a server may ask to wait, in milliseconds. */
  readonly longestWaitMs: number;
}

/** Milliseconds before retry `number`, counted from 0; a random part keeps several clients apart. */
function backOff(number: number, firstWaitMs: number): number {
  return Math.min(30_000, firstWaitMs * 2 ** number) * (0.5 + Math.random() / 2);
}

/** @throws RequestFailure of the last try; KbError KB_CANCELLED and whatever else `run` throws */
export async function withRetries<T>(
  run: () => Promise<T>,
  plan: RetryPlan,
  signal: AbortSignal,
  logger: Logger,
): Promise<T> {
  for (let number = 0; ; number++)
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof RequestFailure) || error.kind !== "transient" || number >= plan.retries)
        throw error;
      const asked = error.retryAfterMs ?? backOff(number, plan.firstWaitMs);
      const ms = Math.min(asked, plan.longestWaitMs);
      logger.info(
        `${error.message}; trying again in ${(ms / 1000).toFixed(1)} s (${number + 1} of ${plan.retries})`,
      );
      await wait(ms, undefined, { signal }).catch(() => throwIfCancelled(signal));
    }
}
