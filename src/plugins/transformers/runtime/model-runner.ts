// Does work with one model: finds its files, starts its process on first use and again where it ended, ends it when
// idle. Decides what an end means; knows nothing of vectors and scores.
import { KbError, type Logger } from "../../../core/plugin-api.js";
import type { Answer, LoadRequest, ProcessReply, Work } from "./messages.js";
import { ModelProcess } from "./model-process.js";
import { WorkQueue, type WorkItem } from "./work-queue.js";

export interface RunnerSettings {
  /** The table of kb-mcp.toml that the model is named in, for hints. */
  readonly table: string;
  /** The code of work that fails. */
  readonly failedCode: "KB_EMBED_FAILED" | "KB_RERANK_FAILED";
  /** What to do where a file of the model is damaged, where that is not what is usually to be done. */
  readonly damagedHint?: string | undefined;
  /** Gives the absolute path of the folder with the model's files; may download them. */
  readonly locate: (signal: AbortSignal) => Promise<string>;
  readonly load: Omit<LoadRequest, "folder">;
  readonly logger: Logger;
  /** Milliseconds without work after which the process ends. */
  readonly idleMs?: number;
}

const defaultIdleMs = 600_000;
/** Where a model could not be loaded, nobody waits for it to fail again within this time. */
const retryAfterMs = 15_000;

export class ModelRunner {
  readonly #queue: WorkQueue;
  readonly #closing = new AbortController();
  #process: ModelProcess | undefined;
  /** Whether the process has its model. */
  #ready = false;
  #starting = false;
  /** Whether the last process ended while it loaded. */
  #diedLoading = false;
  #current: WorkItem | undefined;
  #idle: NodeJS.Timeout | undefined;
  #failure: { readonly at: number; readonly error: KbError } | undefined;

  constructor(private readonly settings: RunnerSettings) {
    this.#queue = new WorkQueue(settings.failedCode);
  }

  /**
   * One entry for each text of the work, in order. Urgent work goes ahead of all other that waits; all of it waits for
   * as long as a download takes.
   * @throws KbError the `failedCode` of the settings, KB_MODEL_*, KB_CANCELLED
   */
  async run(work: Work, signal: AbortSignal, options: { readonly urgent: boolean }): Promise<Answer> {
    if (this.#closing.signal.aborted) throw cancelled();
    if (this.#failure !== undefined && performance.now() - this.#failure.at < retryAfterMs)
      throw this.#failure.error;
    const answer = this.#queue.add(work, signal, options);
    this.#pump();
    return answer;
  }

  /** Ends the process; what waits is cancelled. */
  async close(): Promise<void> {
    this.#closing.abort(cancelled());
    this.#queue.fail(cancelled());
    this.#current?.fail(cancelled());
    clearTimeout(this.#idle);
    await this.#process?.stop();
  }

  #pump(): void {
    if (this.#current !== undefined || this.#queue.isEmpty || this.#closing.signal.aborted) return;
    if (this.#process === undefined) {
      if (!this.#starting) void this.#start();
      return;
    }
    if (!this.#ready) return;
    clearTimeout(this.#idle);
    this.#current = this.#queue.take();
    if (this.#current !== undefined) this.#process.give(this.#current.work);
  }

  async #start(): Promise<void> {
    this.#starting = true;
    try {
      const folder = await this.settings.locate(this.#closing.signal);
      this.#closing.signal.throwIfAborted();
      this.#process = new ModelProcess(
        { ...this.settings.load, folder },
        { reply: (reply) => this.#received(reply), ended: (how) => this.#ended(how) },
        this.settings.logger,
      );
    } catch (error) {
      this.#failed(
        error instanceof KbError
          ? error
          : new KbError(
              "KB_MODEL_INVALID",
              `The process of ${this.settings.load.name} could not be started`,
              {
                cause: error,
              },
            ),
      );
    } finally {
      this.#starting = false;
    }
  }

  #received(reply: ProcessReply): void {
    const item = this.#current;
    switch (reply.type) {
      case "ready":
        this.#ready = true;
        this.#diedLoading = false;
        this.#failure = undefined;
        break;
      case "refused":
        void this.#process?.stop();
        this.#process = undefined;
        this.#failed(this.#refused(reply));
        return;
      case "answer":
        this.#current = undefined;
        item?.succeed(reply.answer);
        break;
      case "failed":
        this.#current = undefined;
        item?.fail(this.#workFailed(reply.message));
    }
    this.#pump();
    if (this.#current === undefined) this.#rest();
  }

  #rest(): void {
    const resting = this.#process;
    resting?.rest();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      this.#process = undefined;
      this.#ready = false;
      void resting?.stop();
    }, this.settings.idleMs ?? defaultIdleMs);
    this.#idle.unref();
  }

  /** A process that ended by itself is started once more: with the same work, or to load the same model. */
  #ended(how: string): void {
    clearTimeout(this.#idle);
    const wasLoading = !this.#ready;
    this.#process = undefined;
    this.#ready = false;
    const { name } = this.settings.load;
    this.settings.logger.warn(`the process of ${name} ended ${how}`);
    if (wasLoading) {
      if (this.#diedLoading) {
        this.#diedLoading = false;
        this.#failed(
          new KbError("KB_MODEL_INVALID", `The process that loads ${name} ended twice, ${how}`, {
            hint: "Check the memory that is free and run kb-mcp models verify; a smaller model may do.",
          }),
        );
        return;
      }
      this.#diedLoading = true;
    }
    const item = this.#current;
    this.#current = undefined;
    if (item?.interrupted === true) item.fail(this.#workFailed(`its process ended twice, ${how}`));
    else if (item !== undefined && !item.isSettled()) {
      item.interrupted = true;
      this.#queue.putFirst(item);
    }
    this.#pump();
  }

  #refused({ code, message }: Extract<ProcessReply, { type: "refused" }>): KbError {
    const { damagedHint } = this.settings;
    const isHinted = code === "KB_MODEL_INVALID" && damagedHint !== undefined;
    return new KbError(code, message, isHinted ? { hint: damagedHint } : {});
  }

  #workFailed(reason: string): KbError {
    const { table, failedCode, load } = this.settings;
    return new KbError(failedCode, `Work with ${load.name} failed: ${reason}`, {
      hint: `Try again; if it stays, check ${table} in kb-mcp.toml and the memory that is free.`,
    });
  }

  #failed(error: KbError): void {
    if (!this.#closing.signal.aborted) this.#failure = { at: performance.now(), error };
    this.#queue.fail(error);
  }
}

function cancelled(): KbError {
  return new KbError("KB_CANCELLED", "kb-mcp is shutting down");
}
