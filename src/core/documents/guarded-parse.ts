// Parses files where they can do no harm: in a process of their own, one at a time, with bounds on time and memory.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KbError, isKbError, type ErrorCode } from "../errors.js";
import { limits } from "../limits.js";
import type { Logger, ParsedDocument } from "../plugin-api.js";
import type { SentError } from "./parse-messages.js";
import { ParseProcess, type ParseLimits, type ParseOutcome } from "./parse-process.js";
import type { ParserEntry, ParserRegistry } from "./parser-registry.js";

export interface GuardedParser {
  /**
   * Decodes (unless the format is binary) and parses a file. Calls are served in order.
   * @param path relative to the knowledge base
   * @throws KbError KB_READ_EXTENSION, KB_PARSE_*, what the parser threw as a KbError, KB_CANCELLED
   */
  parse(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<ParsedDocument>;
  /** Ends the process; files that wait are cancelled. */
  dispose(): Promise<void>;
}

export interface GuardedParserOptions extends Partial<ParseLimits> {
  /** Where each parser has a directory of its own. */
  readonly dataDirectory?: string;
}

export function createGuardedParser(
  registry: ParserRegistry,
  logger: Logger,
  {
    milliseconds = limits.parseMilliseconds,
    heapMiB = limits.parseHeapMiB,
    dataDirectory = join(tmpdir(), "kb-mcp-parsers"),
  }: GuardedParserOptions = {},
): GuardedParser {
  return new ProcessParser(registry, { milliseconds, heapMiB }, logger, dataDirectory);
}

interface Job {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly parser: ParserEntry;
  readonly resolve: (parsed: ParsedDocument) => void;
  readonly reject: (error: KbError) => void;
}

class ProcessParser implements GuardedParser {
  readonly #process: ParseProcess;
  readonly #waiting: Job[] = [];
  #current: Job | undefined;
  #nextId = 1;
  #disposed = false;

  constructor(
    private readonly registry: ParserRegistry,
    private readonly limits: ParseLimits,
    logger: Logger,
    private readonly dataDirectory: string,
  ) {
    this.#process = new ParseProcess(limits, logger);
  }

  async parse(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<ParsedDocument> {
    const parser = this.registry.forPath(path);
    if (parser === undefined) throw new KbError("KB_READ_EXTENSION", `${path}: no parser is enabled for it`);
    if (this.#disposed || signal.aborted) throw cancelled(path);
    let job: Job | undefined;
    const abort = (): void => {
      if (job !== undefined) this.#cancel(job);
    };
    signal.addEventListener("abort", abort, { once: true });
    try {
      return await new Promise<ParsedDocument>((resolve, reject) => {
        job = { path, bytes, parser, resolve, reject };
        this.#waiting.push(job);
        this.#serveNext();
      });
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    for (const job of this.#waiting.splice(0)) job.reject(cancelled(job.path));
    await this.#process.stop();
  }

  #cancel(job: Job): void {
    const index = this.#waiting.indexOf(job);
    if (index !== -1) this.#waiting.splice(index, 1);
    job.reject(cancelled(job.path));
    // A parser that runs cannot be asked to end.
    if (job === this.#current) void this.#process.stop();
  }

  #serveNext(): void {
    if (this.#current !== undefined) return;
    const job = this.#waiting.shift();
    if (job === undefined) return;
    this.#current = job;
    const { id, moduleUrl, binary, options } = job.parser;
    const request = {
      id: this.#nextId++,
      path: job.path,
      bytes: job.bytes,
      parser: { id, moduleUrl, binary, options },
      dataDirectory: join(this.dataDirectory, id),
    };
    void this.#process.run(request).then((outcome) => {
      this.#current = undefined;
      if (outcome.kind === "parsed") job.resolve(outcome.parsed);
      else job.reject(this.#errorOf(outcome, job));
      this.#serveNext();
    });
  }

  #errorOf(outcome: Exclude<ParseOutcome, { kind: "parsed" }>, { path, parser }: Job): KbError {
    const { milliseconds, heapMiB } = this.limits;
    switch (outcome.kind) {
      case "failed":
        return restoreError(outcome.error);
      case "timeout":
        return new KbError(
          "KB_PARSE_TIMEOUT",
          `The parser ${parser.id} did not finish ${path} within ${milliseconds / 1000} s`,
        );
      case "memory":
        return new KbError(
          "KB_PARSE_MEMORY",
          `The parser ${parser.id} needed more than ${heapMiB} MiB of memory for ${path}`,
        );
      case "ended":
        return new KbError(
          "KB_PARSE_FAILED",
          `The parser ${parser.id} could not read ${path}: its process ended ${outcome.how}`,
        );
      case "stopped":
        return cancelled(path);
    }
  }
}

function restoreError({ code, message, hint, stack }: SentError): KbError {
  const cause = new Error(message);
  if (stack !== undefined) cause.stack = stack;
  const known: ErrorCode = isKbError({ code, message }) ? (code as ErrorCode) : "KB_PARSE_FAILED";
  return new KbError(known, message, { cause, ...(hint !== undefined && { hint }) });
}

function cancelled(path: string): KbError {
  return new KbError("KB_CANCELLED", `${path} was not parsed: cancelled`);
}
