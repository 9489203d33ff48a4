#!/usr/bin/env node
// argv → command. The only place that decides exit codes: 0 fine, 1 findings or failure, 2 usage or configuration.
const args = process.argv.slice(2);

// A reader that closes the pipe early (`kb-mcp search … | head`) is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

if (args[0] === "serve" && !args.some((arg) => arg === "--help" || arg === "-h") && !isShielded()) {
  // Before anything else loads: the real server runs as a child whose file descriptor 1 is not the protocol's.
  const { runShielded } = await import("../transports/stdio/shield.js");
  process.exitCode = await runShielded(process.argv.slice(1));
} else {
  const { runProgram } = await import("./program.js");
  process.exitCode = await runProgram(args);
}

function isShielded(): boolean {
  return process.env["KB_MCP_PROTOCOL_FD"] !== undefined;
}
