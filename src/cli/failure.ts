// How a failure looks on the command line: what happened, what to do next, the code. Never a stack trace.
import { isKbError } from "../core/errors.js";
import { printableLines } from "../core/text/printable.js";
import { pasteable } from "./pasteable.js";
import type { CommonFlags, ExitCode } from "./program.js";
import { progressLine } from "./standard-streams.js";

/**
 * Prints a failure to stderr.
 * @param flags that the command was given
 */
export function printFailure(error: unknown, flags: CommonFlags): void {
  progressLine.close();
  process.stderr.write(printableLines(describe(error, flags)));
}

function describe(error: unknown, flags: CommonFlags): string {
  if (isKbError(error))
    return `kb-mcp: ${pasteable(error.message, flags)}\n  ${pasteable(error.hint, flags)}\n  [${error.code}]\n`;
  const reason = error instanceof Error ? error.message : String(error);
  const stack =
    process.env["KB_MCP_LOG"] === "debug" && error instanceof Error ? `${error.stack ?? ""}\n` : "";
  return `kb-mcp: something went wrong inside: ${reason}\n  This is a defect; KB_MCP_LOG=debug shows more.\n  [KB_INTERNAL]\n${stack}`;
}

const mustBeCorrected = /^KB_(?:CONFIG|PLUGIN|CLI|EVAL|GRAPH)_|^KB_SEARCH_(?:QUERY|FILTER)$/u;

/** 2 for what the user must correct before anything can run, else 1. */
export function exitCodeFor(error: unknown): ExitCode {
  return isKbError(error) && mustBeCorrected.test(error.code) ? 2 : 1;
}
