// Starts, feeds and ends the process that parses. A process, not a thread: when a single allocation does not fit,
// V8 ends the whole process even with a limit set for the thread, and with it would go kb-mcp.
import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ChunkedDocument } from "../indexing/chunk-parts.js";
import type { Logger, StoredChunk } from "../plugin-api.js";
import type { SentError } from "../sent-error.js";
import { isSentLog } from "../sent-log.js";
import type { DocumentText } from "./document-text.js";
import type { ParseReply, ParseRequest } from "./parse-messages.js";

export interface ParseLimits {
  /**
   * For parsing one file, with the start of the process where it has to be started; then again for each part of its
   * chunks, which take time in proportion to the text.
   */
  readonly milliseconds: number;
  /** Of JavaScript objects; twice as much may be used in all, with buffers and code. */
  readonly heapMiB: number;
}

export type ParseOutcome =
  | { readonly kind: "text"; readonly document: DocumentText }
  | { readonly kind: "chunks"; readonly document: ChunkedDocument }
  | { readonly kind: "failed"; readonly error: SentError; readonly last?: true }
  | { readonly kind: "timeout" }
  | { readonly kind: "memory" }
  /** The process ended by itself; `how` completes "the process ended …", `detail` is for the log. */
  | { readonly kind: "ended"; readonly how: string; readonly detail?: string }
  | { readonly kind: "stopped" };

/** An idle process is ended after this time: it holds some 60 MB. */
const idleMilliseconds = 60_000;
/** What Node and the libraries take before a file is opened. */
const baseMiB = 128;
const outOfMemory = /out of memory|heap limit/i;

interface Running {
  readonly id: number;
  /** What came of the document's chunks so far. */
  readonly chunks: StoredChunk[];
  /** Runs out when the process takes too long. */
  readonly timer: NodeJS.Timeout;
  readonly settle: (outcome: ParseOutcome) => void;
}

export class ParseProcess {
  #child: ChildProcess | undefined;
  #running: Running | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly limits: ParseLimits,
    private readonly logger: Logger,
  ) {}

  /** Parses one file, in a new process if there is none. Never called while a file is being parsed. */
  run(request: ParseRequest): Promise<ParseOutcome> {
    clearTimeout(this.#idle);
    let child: ChildProcess;
    try {
      child = this.#child ??= this.#start();
    } catch (error) {
      // Of what can keep a process from starting, Node throws some at once: out of memory, for one.
      const detail = error instanceof Error ? error.message : String(error);
      return Promise.resolve({ kind: "ended", how: "at its start", detail });
    }
    child.ref();
    child.channel?.ref();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#settle({ kind: "timeout" }), this.limits.milliseconds);
      this.#running = {
        id: request.id,
        chunks: [],
        timer,
        settle: (outcome) => {
          clearTimeout(timer);
          this.#running = undefined;
          const alive =
            outcome.kind === "text" ||
            outcome.kind === "chunks" ||
            (outcome.kind === "failed" && outcome.last !== true);
          if (alive) this.#rest(child);
          else this.#drop(child);
          resolve(outcome);
        },
      };
      try {
        child.send(request, (error) => {
          if (error !== null && this.#running?.id === request.id)
            this.#settle({ kind: "ended", how: "before it took the file", detail: error.message });
        });
      } catch (error) {
        // Something in the options that is no plain data.
        const message = error instanceof Error ? error.message : String(error);
        this.#settle({ kind: "failed", error: { message } });
      }
    });
  }

  /** Ends the process, whatever it is doing. */
  async stop(): Promise<void> {
    const child = this.#child;
    const ended = child === undefined ? undefined : new Promise((resolve) => child.once("exit", resolve));
    this.#settle({ kind: "stopped" });
    if (child !== undefined) this.#drop(child);
    if (child?.exitCode !== null || child.signalCode !== null) return;
    // With nothing else to wait for, Node would end before the process has.
    child.ref();
    await ended;
  }

  #settle(outcome: ParseOutcome): void {
    this.#running?.settle(outcome);
  }

  #start(): ChildProcess {
    const { heapMiB } = this.limits;
    const memoryBytes = (2 * heapMiB + baseMiB) * 1024 * 1024;
    const child = fork(fileURLToPath(new URL("./parse-worker.js", import.meta.url)), [String(memoryBytes)], {
      execArgv: [`--max-old-space-size=${heapMiB}`],
      serialization: "advanced",
      // Its standard output is never kb-mcp's own, which may belong to MCP.
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      windowsHide: true,
    });
    let lastWords = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        if (stream === child.stderr) lastWords = (lastWords + text).slice(-8192);
        this.logger.debug(`parse process: ${text.trimEnd()}`);
      });
      // The streams of a child are sockets; they must not keep kb-mcp running.
      (stream as unknown as { unref?: () => void } | null)?.unref?.();
    }
    child.on("message", (message: unknown) => this.#receive(child, message));
    child.on("error", (error) => {
      if (this.#child === child) this.#settle({ kind: "ended", how: "at its start", detail: error.message });
    });
    child.on("close", (code, signal) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      // A kill that is not ours is the watchdog's, or the system's that ran out of memory.
      if (signal === "SIGKILL" || outOfMemory.test(lastWords)) this.#settle({ kind: "memory" });
      else this.#settle({ kind: "ended", how: signal === null ? `with exit code ${code}` : `by ${signal}` });
    });
    return child;
  }

  /** @param message whatever came: a parser may send what it likes over the same channel */
  #receive(child: ChildProcess, message: unknown): void {
    if (this.#child !== child) return;
    if (isSentLog(message)) this.logger[message.log](message.message);
    const running = this.#running;
    if (running === undefined || !isReplyTo(message, running.id)) return;
    if ("error" in message) this.#settle({ kind: "failed", ...message });
    else if ("text" in message) this.#settle({ kind: "text", document: message.text });
    else {
      const reply = message;
      for (const chunk of reply.chunks) running.chunks.push(chunk);
      running.timer.refresh();
      if (reply.outline !== undefined)
        this.#settle({ kind: "chunks", document: { ...reply.outline, chunks: running.chunks } });
    }
  }

  /** Between files the process must not keep kb-mcp running. */
  #rest(child: ChildProcess): void {
    child.unref();
    child.channel?.unref();
    this.#idle = setTimeout(() => this.#drop(child), idleMilliseconds);
    this.#idle.unref();
  }

  #drop(child: ChildProcess): void {
    clearTimeout(this.#idle);
    if (this.#child === child) this.#child = undefined;
    child.unref();
    child.channel?.unref();
    child.kill("SIGKILL");
  }
}

type Answer = Exclude<ParseReply, { readonly log: unknown }>;

function isReplyTo(message: unknown, id: number): message is Answer {
  if (typeof message !== "object" || message === null) return false;
  const { id: answered, error, text, chunks } = message as Readonly<Record<string, unknown>>;
  if (answered !== id) return false;
  const isError = typeof error === "object" && error !== null;
  return isError || (typeof text === "object" && text !== null) || Array.isArray(chunks);
}
