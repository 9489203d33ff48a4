// Turns the progress of an index run into MCP progress notifications: ever rising, and few.
import type { ProgressToken, ServerNotification } from "@modelcontextprotocol/sdk/types.js";
import type { IndexProgress } from "../../core/index.js";
import type { Logger } from "../../core/plugin-api.js";

/** Milliseconds between two notifications of one phase. */
const interval = 250;

/** Percent of the bar at which each phase begins. Scanning is quick, parsing and embedding are the work. */
const begins = { scan: 0, index: 5, finish: 95 } as const;
const ends = { scan: 5, index: 95, finish: 100 } as const;

/** Progress is in percent; MCP wants it to rise with each notification, even while nothing seems to move. */
export function createProgressReporter(
  progressToken: ProgressToken,
  send: (notification: ServerNotification) => Promise<void>,
  logger: Logger,
  now: () => number = () => performance.now(),
): (progress: IndexProgress) => void {
  let last = 0;
  let lastPhase: IndexProgress["phase"] | undefined;
  let sentAt = -Infinity;
  return (progress) => {
    if (progress.phase === lastPhase && now() - sentAt < interval) return;
    lastPhase = progress.phase;
    sentAt = now();
    // Never quite at the total before the reply; half of what is left always rises.
    last = Math.max(percent(progress), last + Math.min(0.01, (100 - last) / 2));
    const params = { progressToken, progress: last, total: 100, message: describe(progress) };
    send({ method: "notifications/progress", params }).catch((error: unknown) => {
      logger.debug(`progress notification not sent: ${String(error)}`);
    });
  };
}

function percent({ phase, filesDone, filesTotal }: IndexProgress): number {
  const share = phase === "finish" || filesTotal === 0 ? 0 : Math.min(1, filesDone / filesTotal);
  return begins[phase] + (ends[phase] - begins[phase]) * share;
}

/** What a run is doing, in words. */
export function describe({ phase, filesDone, filesTotal, chunksDone }: IndexProgress): string {
  switch (phase) {
    case "scan":
      return "comparing files with the index";
    case "index":
      return `indexing: ${filesDone} of ${filesTotal} files, ${chunksDone} passages`;
    case "finish":
      return "bringing the search structures up to date";
  }
}
