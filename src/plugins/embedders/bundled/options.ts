// The options of `[embedder]` with use = "bundled". Written out by hand: one number is not worth loading a library.
import { availableParallelism } from "node:os";
import type { OptionsResult, OptionsSchema } from "../../../core/plugin-api.js";

export interface BundledOptions {
  /** Worker threads at most, 1 to 8. Each holds a model of its own in memory, about 200 MB. */
  readonly threads: number;
}

const maxThreads = 8;

/** More than this by default would take more memory than a background task should. */
const maxDefaultThreads = 4;

function refuse(message: string, ...path: string[]): OptionsResult<BundledOptions> {
  return { issues: [{ message, path }] };
}

function validate(value: unknown): OptionsResult<BundledOptions> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return refuse("expected a table of options");
  const unknownKey = Object.keys(value).find((key) => key !== "threads");
  if (unknownKey !== undefined) return refuse("unknown option; the only option is threads", unknownKey);
  const threads = "threads" in value ? value.threads : undefined;
  if (threads === undefined)
    return { value: { threads: Math.min(availableParallelism(), maxDefaultThreads) } };
  if (typeof threads !== "number" || !Number.isInteger(threads) || threads < 1 || threads > maxThreads)
    return refuse(`expected a whole number from 1 to ${maxThreads}`, "threads");
  return { value: { threads } };
}

export const bundledOptions: OptionsSchema<BundledOptions> = {
  "~standard": { version: 1, vendor: "kb-mcp", validate },
};
