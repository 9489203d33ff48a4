#!/usr/bin/env node
// argv → command. The only place that decides exit codes: 0 fine, 1 findings or failure, 2 usage or configuration.
import { protocolDescriptorVariable } from "../transports/stdio/protocol-variable.js";

const args = process.argv.slice(2);
const isServe = args[0] === "serve" && !args.some((arg) => arg === "--help" || arg === "-h");
const isShielded = process.env[protocolDescriptorVariable] !== undefined;

/** Milliseconds that the log of a server has to go out at its end: its reader may have stopped reading. */
const logFlushMs = 500;

// Each branch ends the process itself: a timer or a socket that a third-party package left open must not keep it.
if (isServe && !isShielded) {
  // Before anything else loads: the real server runs as a child whose file descriptor 1 is not the protocol's.
  const { runShielded } = await import("../transports/stdio/shield.js");
  process.exit(await runShielded(process.argv.slice(1)));
} else {
  if (!isServe) endPlainlyOnFailedOutput();
  const [{ runProgram }, { flushStandardStreams }] = await Promise.all([
    import("./program.js"),
    import("./standard-streams.js"),
  ]);
  const exitCode = await runProgram(args);
  await flushStandardStreams(isServe ? logFlushMs : undefined);
  process.exit(exitCode);
}

/** A reader that closes the pipe early (`kb-mcp search … | head`) is no failure; a full disk is one. */
function endPlainlyOnFailedOutput(): void {
  process.stderr.on("error", () => undefined);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    process.stderr.write(`kb-mcp: the result could not be written: ${error.message}\n`);
    process.exit(1);
  });
}
