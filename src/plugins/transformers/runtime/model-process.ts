// Starts one process with one model and tells what becomes of it. A process, not a thread: ending a thread while the ONNX
// runtime 1.14 computes in it aborts the whole of Node (an uncaught Napi::Error), as does running out of memory; and what
// the runtime once took it keeps, so that only the end of a process gives the memory back.
import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Logger } from "../../../core/plugin-api.js";
import type { LoadRequest, ProcessReply, Work } from "./messages.js";

export interface ProcessEvents {
  readonly reply: (reply: ProcessReply) => void;
  /** Once, when it ended by itself; `how` completes "the process ended …". */
  readonly ended: (how: string) => void;
}

export class ModelProcess {
  readonly #child: ChildProcess;
  /** Whether its end is none of our doing. */
  #wanted = true;

  /** @throws where the system gives no more processes */
  constructor(load: LoadRequest, events: ProcessEvents, logger: Logger) {
    const child = fork(fileURLToPath(new URL("./worker.js", import.meta.url)), [], {
      // Flags of kb-mcp's own process, such as --input-type, can keep it from starting.
      execArgv: [],
      serialization: "advanced",
      // Its standard output is never kb-mcp's own, which may belong to MCP.
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      windowsHide: true,
    });
    this.#child = child;
    logger.debug(`process ${child.pid ?? "without a number"} loads ${load.name}`);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        logger.debug(`process of ${load.name}: ${text.trimEnd()}`);
      });
      // The streams of a child are sockets; they must not keep kb-mcp running.
      (stream as unknown as { unref?: () => void } | null)?.unref?.();
    }
    const end = (how: string): void => {
      if (!this.#wanted) return;
      this.#wanted = false;
      events.ended(how);
    };
    child.on("message", (reply: ProcessReply) => {
      if (!this.#wanted) return;
      if (reply.type === "ready") logger.debug(`process ${child.pid} has loaded ${load.name}`);
      events.reply(reply);
    });
    child.on("error", (error) => end(`before it took its work (${error.message})`));
    child.on("exit", (code, signal) => end(signal === null ? `with exit code ${code}` : `by ${signal}`));
    this.#send(load);
  }

  give(work: Work): void {
    this.#child.ref();
    this.#child.channel?.ref();
    this.#send(work);
  }

  /** Without work it must not keep kb-mcp running. */
  rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }

  /** Ends it, whatever it is doing. */
  async stop(): Promise<void> {
    this.#wanted = false;
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    // With nothing else to wait for, Node would end before the process has.
    child.ref();
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  }

  #send(message: LoadRequest | Work): void {
    // A failure to send means that the process is gone, of which its own event tells.
    this.#child.send(message, () => undefined);
  }
}
