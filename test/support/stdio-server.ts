// Starts the server of test/fixtures/stdio-server.mjs as a client would.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

export const stdioServerPath = fileURLToPath(new URL("../fixtures/stdio-server.mjs", import.meta.url));

export interface RunningServer {
  readonly process: ChildProcess;
  readonly output: Readable;
  readonly log: Readable;
  /** Process id of the one that serves, behind the shield. */
  readonly serverPid: number;
  stderr(): string;
  stdout(): string;
  /** Writes one request; without effect if the server reads from elsewhere. */
  send(method: string, params: object, id?: number): void;
  /** Resolves when something on stdout matches. */
  answered(pattern: RegExp): Promise<void>;
  /** Ends the server's input. */
  end(): void;
  /** Exit code and signal. */
  exit(): Promise<[number | null, NodeJS.Signals | null]>;
}

/**
 * The server, once it serves.
 * @param input where it reads from; a pipe of its own, which closes when its process ends, if absent
 */
export async function startStdioServer(input?: Readable, ...flags: string[]): Promise<RunningServer> {
  const child = spawn(process.execPath, [stdioServerPath, ...flags], {
    stdio: [input ?? "pipe", "pipe", "pipe"],
  });
  const [stdin, output, log] = [child.stdin, child.stdout as Readable, child.stderr as Readable];
  // A server that is gone closes its input; what is written after is lost, as for any client.
  stdin?.on("error", () => undefined);
  let stdout = "";
  let stderr = "";
  output.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  log.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  const seen = async (stream: Readable, text: () => string, pattern: RegExp): Promise<void> => {
    const gone = exited.then(() => {
      throw new Error(`the server ended; it said: ${stderr}`);
    });
    while (!pattern.test(text())) await Promise.race([once(stream, "data"), gone]);
  };
  await seen(log, () => stderr, /serving as \d+/u);
  return {
    process: child,
    output,
    log,
    serverPid: Number(/serving as (\d+)/u.exec(stderr)![1]),
    stderr: () => stderr,
    stdout: () => stdout,
    send: (method, params, id = 1) =>
      void stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`),
    answered: (pattern) => seen(output, () => stdout, pattern),
    end: () => void stdin?.end(),
    exit: () => exited,
  };
}

/** Whether a process of this id is there (and not merely waiting to be collected by its parent). */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/\) Z /u.test(readFileSync(stat, "utf8"));
}

/** Resolves when the process is gone; false if it is still there after `milliseconds`. */
export async function isGoneWithin(pid: number, milliseconds: number): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  while (isRunning(pid)) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}
