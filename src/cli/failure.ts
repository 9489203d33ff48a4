// How a failure looks on the command line: what happened, what to do next, the code. Never a stack trace.
import { isKbError } from "../core/errors.js";
import type { ExitCode } from "./program.js";

/** Prints a failure to stderr. */
export function printFailure(error: unknown): void {
  if (isKbError(error)) {
    process.stderr.write(`kb-mcp: ${error.message}\n  ${error.hint}\n  [${error.code}]\n`);
    return;
  }
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    `kb-mcp: something went wrong inside: ${reason}\n  This is a defect; KB_MCP_LOG=debug shows more.\n  [KB_INTERNAL]\n`,
  );
  if (process.env["KB_MCP_LOG"] === "debug" && error instanceof Error)
    process.stderr.write(`${error.stack ?? ""}\n`);
}

/** 2 for what the user must correct before anything can run, else 1. */
export function exitCodeFor(error: unknown): ExitCode {
  return isKbError(error) && /^KB_(?:CONFIG|PLUGIN|CLI)_/u.test(error.code) ? 2 : 1;
}
