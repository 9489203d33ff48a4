// The parent side of `kb-mcp serve` over stdio. The real server runs as a child whose file descriptor 1 is the
// parent's stderr, so that nothing a library prints, from whichever thread, can reach the client. Imports
// nothing heavy: every start pays for it.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { protocolDescriptorVariable } from "./protocol-variable.js";

/** Where the child finds what is the parent's stdout. */
const protocolDescriptor = 3;

/** What a client, a terminal or a service manager ends the server with. */
const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Milliseconds after which a child that has not ended gets the signal itself. */
const patience = 1000;

/**
 * Runs this program again behind the shield and waits for its end. The child ends by itself when stdin closes,
 * or when the IPC channel does, which happens too if this process is killed.
 *
 * A signal closes the channel instead of being passed on at once: terminals and service managers signal the child as
 * well, and a second signal means to it that somebody is losing patience.
 * @param args script and arguments, as in `process.argv.slice(1)`
 * @returns the child's exit code; 128 and the signal's number if a signal ended it
 */
export async function runShielded(args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [...process.execArgv, ...args], {
    stdio: ["inherit", 2, 2, 1, "ipc"],
    env: { ...process.env, [protocolDescriptorVariable]: String(protocolDescriptor) },
    windowsHide: true,
  });
  const end = (signal: NodeJS.Signals): void => {
    if (!child.connected) {
      child.kill(signal);
      return;
    }
    child.disconnect();
    setTimeout(() => child.kill(signal), patience).unref();
  };
  for (const signal of endings) process.on(signal, end);
  try {
    return await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code, signal) =>
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
      );
    });
  } finally {
    for (const signal of endings) process.off(signal, end);
  }
}
