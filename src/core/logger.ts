// Logging goes to stderr only: over stdio, stdout belongs to MCP.
import { printableLines } from "./text/printable.js";

export type LogLevel = "debug" | "info" | "warn" | "error";

export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

const order: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/** A logger that writes one line for each message at or above `level`. */
export function createLogger(
  level: LogLevel,
  writeLine: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
): Logger {
  const log = (at: LogLevel, message: string): void => {
    if (order[at] >= order[level]) writeLine(`kb-mcp ${at}: ${printableLines(message)}`);
  };
  return {
    debug: (message) => log("debug", message),
    info: (message) => log("info", message),
    warn: (message) => log("warn", message),
    error: (message) => log("error", message),
  };
}
