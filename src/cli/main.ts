#!/usr/bin/env node
// argv → command. The only place that decides exit codes: 0 fine, 1 findings or failure, 2 usage or configuration.
import { protocolDescriptorVariable } from "../transports/stdio/protocol-variable.js";

const args = process.argv.slice(2);
const isServe = args[0] === "serve" && !args.some((arg) => arg === "--help" || arg === "-h");
const isShielded = process.env[protocolDescriptorVariable] !== undefined;

if (isServe && !isShielded) {
  // Before anything else loads: the real server runs as a child whose file descriptor 1 is not the protocol's.
  const { runShielded } = await import("../transports/stdio/shield.js");
  process.exitCode = await runShielded(process.argv.slice(1));
} else {
  if (!isServe) endQuietlyOnClosedPipe();
  const { runProgram } = await import("./program.js");
  process.exitCode = await runProgram(args);
}

/** A reader that closes the pipe early (`kb-mcp search … | head`) is no failure. */
function endQuietlyOnClosedPipe(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
}
