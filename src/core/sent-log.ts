// A log line on its way from a process that runs what strangers wrote: they may send anything over the same channel.

const levels = ["debug", "info", "warn", "error"] as const;

export interface SentLog {
  readonly log: (typeof levels)[number];
  readonly message: string;
}

export function isSentLog(value: unknown): value is SentLog {
  if (typeof value !== "object" || value === null) return false;
  const { log, message } = value as { readonly log?: unknown; readonly message?: unknown };
  return typeof message === "string" && levels.some((level) => level === log);
}
