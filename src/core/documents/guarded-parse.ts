// Parses files where they can do no harm: in a process of their own, one at a time, with bounds on time and memory.
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChunkedDocument, CutOptions } from "../indexing/chunk-parts.js";
import { KbError } from "../errors.js";
import { limits } from "../limits.js";
import type { Logger } from "../plugin-api.js";
import type { DocumentText, TextOptions } from "./document-text.js";
import { cancelled, parseFailure } from "./parse-failure.js";
import type { Want } from "./parse-messages.js";
import { ParseProcess, type ParseLimits, type ParseOutcome } from "./parse-process.js";
import type { ParserDirectories } from "./parser-host.js";
import type { ParserEntry, ParserRegistry } from "./parser-registry.js";

/** Decodes files (unless the format is binary), parses them and does what takes long with the result. */
export interface GuardedParser {
  /**
   * The text of a file for somebody who waits for it: goes ahead of all files whose chunks are asked for.
   * @param path relative to the knowledge base
   * @throws KbError KB_READ_EXTENSION, KB_PARSE_*, what the parser threw as a KbError, KB_CANCELLED
   */
  readText(path: string, bytes: Uint8Array, options: TextOptions, signal: AbortSignal): Promise<DocumentText>;
  /** The chunks of a file, for the index, in the order of the calls. Otherwise as readText. */
  readChunks(
    path: string,
    bytes: Uint8Array,
    options: CutOptions,
    signal: AbortSignal,
  ): Promise<ChunkedDocument>;
  /** Ends the process; files that wait are cancelled. */
  dispose(): Promise<void>;
}

export interface GuardedParserOptions extends Partial<ParseLimits> {
  /** Where each parser has a directory of its own. */
  readonly dataDirectory?: string;
  /** From which relative paths in options count. */
  readonly configDirectory?: string;
}

export function createGuardedParser(
  registry: ParserRegistry,
  logger: Logger,
  {
    milliseconds = limits.parseMilliseconds,
    heapMiB = limits.parseHeapMiB,
    dataDirectory = join(tmpdir(), "kb-mcp-parsers"),
    configDirectory = dataDirectory,
  }: GuardedParserOptions = {},
): GuardedParser {
  const directories = { config: configDirectory, data: dataDirectory };
  return new ProcessParser(registry, { milliseconds, heapMiB }, logger, directories);
}

/** A read waits so long for a file of the index; then it gets a process of its own, which takes as long to start. */
const patienceMilliseconds = 150;

interface Job {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly parser: ParserEntry;
  readonly want: Want;
  /** Whether it may go to the second process. */
  impatient: boolean;
  readonly resolve: (outcome: ParseOutcome) => void;
}

/** A process and what it is parsing. */
interface Lane {
  readonly process: ParseProcess;
  current: Job | undefined;
}

class ProcessParser implements GuardedParser {
  /** The second one only ever reads texts, while the first is held up by a long file. */
  readonly #lanes: readonly [Lane, Lane];
  readonly #reads: Job[] = [];
  readonly #documents: Job[] = [];
  #nextId = 1;
  #disposed = false;

  constructor(
    private readonly registry: ParserRegistry,
    private readonly limits: ParseLimits,
    private readonly logger: Logger,
    private readonly directories: ParserDirectories,
  ) {
    const lane = (): Lane => ({ process: new ParseProcess(limits, logger), current: undefined });
    this.#lanes = [lane(), lane()];
  }

  async readText(
    path: string,
    bytes: Uint8Array,
    options: TextOptions,
    signal: AbortSignal,
  ): Promise<DocumentText> {
    const outcome = await this.#ask(path, bytes, { kind: "text", ...options }, signal);
    if (outcome.kind === "text") return outcome.document;
    throw this.#failure(outcome, path);
  }

  async readChunks(
    path: string,
    bytes: Uint8Array,
    options: CutOptions,
    signal: AbortSignal,
  ): Promise<ChunkedDocument> {
    const outcome = await this.#ask(path, bytes, { kind: "chunks", ...options }, signal);
    if (outcome.kind === "chunks") return outcome.document;
    throw this.#failure(outcome, path);
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    for (const job of [...this.#reads.splice(0), ...this.#documents.splice(0)])
      job.resolve({ kind: "stopped" });
    await Promise.all(this.#lanes.map((lane) => lane.process.stop()));
  }

  async #ask(path: string, bytes: Uint8Array, want: Want, signal: AbortSignal): Promise<ParseOutcome> {
    const parser = this.registry.forPath(path);
    if (parser === undefined) throw new KbError("KB_READ_EXTENSION", `${path}: no parser is enabled for it`);
    if (this.#disposed || signal.aborted) throw cancelled(path);
    let abort: (() => void) | undefined;
    let patience: NodeJS.Timeout | undefined;
    try {
      return await new Promise<ParseOutcome>((resolve) => {
        const job: Job = { path, bytes, parser, want, impatient: false, resolve };
        abort = () => this.#cancel(job);
        signal.addEventListener("abort", abort, { once: true });
        (want.kind === "text" ? this.#reads : this.#documents).push(job);
        this.#serve();
        patience = setTimeout(() => {
          job.impatient = true;
          this.#serve();
        }, patienceMilliseconds);
      });
    } finally {
      clearTimeout(patience);
      if (abort !== undefined) signal.removeEventListener("abort", abort);
    }
  }

  #cancel(job: Job): void {
    for (const queue of [this.#reads, this.#documents]) {
      const index = queue.indexOf(job);
      if (index !== -1) queue.splice(index, 1);
    }
    job.resolve({ kind: "stopped" });
    // A parser that runs cannot be asked to end.
    for (const lane of this.#lanes) if (lane.current === job) void lane.process.stop();
  }

  /** Gives each process that is free its next file. */
  #serve(): void {
    const [first, second] = this.#lanes;
    if (first.current === undefined) this.#start(first, this.#reads.shift() ?? this.#documents.shift());
    if (second.current === undefined && this.#reads[0]?.impatient === true)
      this.#start(second, this.#reads.shift());
  }

  #start(lane: Lane, job: Job | undefined): void {
    if (job === undefined) return;
    lane.current = job;
    const { id, moduleUrl, binary, options } = job.parser;
    const request = {
      id: this.#nextId++,
      path: job.path,
      bytes: job.bytes,
      parser: { id, moduleUrl, binary, options },
      directories: { ...this.directories, data: join(this.directories.data, id) },
      want: job.want,
    };
    void lane.process.run(request).then((outcome) => {
      lane.current = undefined;
      job.resolve(outcome);
      this.#serve();
    });
  }

  #failure(outcome: ParseOutcome, path: string): KbError {
    const parser = this.registry.forPath(path)?.id ?? "";
    if (outcome.kind === "text" || outcome.kind === "chunks")
      throw new Error(`${path}: the parse process answered with ${outcome.kind}, which nobody asked for`);
    return parseFailure(outcome, { path, parser }, this.limits, this.logger);
  }
}
