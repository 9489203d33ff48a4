// A failure that stands for a while is the same object for every search, and is logged once.
import type { Logger } from "../plugin-api.js";

const logged = new WeakSet<object>();

export function logOnce(logger: Logger | undefined, what: string, error: unknown): void {
  if (typeof error === "object" && error !== null) {
    if (logged.has(error)) return;
    logged.add(error);
  }
  logger?.warn(`${what}: ${String(error)}`);
}
