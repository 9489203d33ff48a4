// Spreads texts over worker threads: started on demand, queries first, ended when idle. Knows nothing of the model.
import type { Worker } from "node:worker_threads";
import { KbError, type Logger } from "../../../core/plugin-api.js";
import type { EmbedRequest, WorkerReply } from "./messages.js";
import { JobQueue, type Batch } from "./job-queue.js";

export interface WorkerPoolSettings {
  /** Worker threads at most. */
  readonly threads: number;
  /** Starts a thread that speaks messages.ts. */
  readonly startWorker: () => Worker;
  readonly logger: Logger;
  /** Milliseconds without work after which a worker ends, beside others and as the last one. */
  readonly idleMs?: { readonly extra: number; readonly last: number };
}

/** There is a worker for every so many waiting texts: about as much work as it takes to load the model once more. */
const waitingTextsPerWorker = 12;

/** Workers that may fail one after the other before the pool waits `retryAfterMs` until it tries again. */
const maxFailuresInARow = 3;
const retryAfterMs = 60_000;

const defaultIdleMs = { extra: 30_000, last: 600_000 };

interface Slot {
  readonly worker: Worker;
  /** Whether its model is loaded. */
  ready: boolean;
  batch: Batch | undefined;
  idleTimer: NodeJS.Timeout | undefined;
  error: Error | undefined;
}

export class WorkerPool {
  readonly #settings: WorkerPoolSettings;
  readonly #slots: Slot[] = [];
  readonly #queue = new JobQueue();
  #failures = 0;
  #lastFailure: { readonly at: number; readonly error: KbError } | undefined;
  #closed = false;

  constructor(settings: WorkerPoolSettings) {
    this.#settings = settings;
  }

  /** Worker threads that exist now. */
  get workers(): number {
    return this.#slots.length;
  }

  /**
   * The vectors of the texts, in order. Urgent texts go ahead of all others that wait.
   * @throws KbError KB_EMBED_FAILED, KB_CANCELLED
   */
  async embed(
    texts: readonly string[],
    signal: AbortSignal,
    options: { readonly urgent: boolean },
  ): Promise<Float32Array[]> {
    if (this.#closed) throw new KbError("KB_CANCELLED", "kb-mcp is shutting down");
    if (texts.length === 0) return [];
    if (this.#slots.length === 0 && this.#lastFailure !== undefined && !this.#mayStart())
      throw this.#lastFailure.error;
    const vectors = this.#queue.add(texts, signal, options);
    this.#pump();
    return vectors;
  }

  /** Ends all workers; what waits is cancelled. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.rejectAll(new KbError("KB_CANCELLED", "kb-mcp is shutting down"));
    await Promise.all(this.#slots.splice(0).map((slot) => this.#end(slot)));
  }

  #pump(): void {
    for (const slot of this.#slots) {
      if (!slot.ready || slot.batch !== undefined) continue;
      const batch = this.#queue.take();
      if (batch === undefined) break;
      this.#give(slot, batch);
    }
    const wanted = Math.min(
      Math.ceil(this.#queue.waitingTexts / waitingTextsPerWorker),
      this.#settings.threads,
    );
    while (this.#slots.length < wanted && this.#mayStart()) this.#start();
  }

  #give(slot: Slot, batch: Batch): void {
    clearTimeout(slot.idleTimer);
    slot.batch = batch;
    slot.worker.ref();
    slot.worker.postMessage({ texts: batch.texts } satisfies EmbedRequest);
  }

  #mayStart(): boolean {
    return (
      this.#failures < maxFailuresInARow || performance.now() - (this.#lastFailure?.at ?? 0) > retryAfterMs
    );
  }

  #start(): void {
    let worker: Worker;
    try {
      worker = this.#settings.startWorker();
    } catch (error) {
      // The system gives no more threads; Node throws an Error.
      this.#failed(error as Error, { loaded: false });
      return;
    }
    const slot: Slot = { worker, ready: false, batch: undefined, idleTimer: undefined, error: undefined };
    this.#slots.push(slot);
    worker.on("message", (reply: WorkerReply) => {
      if (this.#slots.includes(slot)) this.#received(slot, reply);
    });
    worker.on("error", (error: Error) => (slot.error = error));
    worker.on("exit", (code) => this.#exited(slot, code));
  }

  #received(slot: Slot, reply: WorkerReply): void {
    if (reply.type === "output") {
      this.#settings.logger.debug(`bundled embedder: ${reply.output.trimEnd()}`);
      return;
    }
    if (reply.type === "ready") {
      slot.ready = true;
      this.#failures = 0;
    } else {
      slot.batch?.settle(reply.vectors);
      slot.batch = undefined;
    }
    this.#pump();
    if (slot.batch === undefined) this.#rest(slot);
  }

  /** An idle worker never keeps the process alive. */
  #rest(slot: Slot): void {
    const idleMs = this.#settings.idleMs ?? defaultIdleMs;
    const alone = this.#slots.length === 1;
    slot.worker.unref();
    clearTimeout(slot.idleTimer);
    slot.idleTimer = setTimeout(
      () => {
        if (!alone && this.#slots.length === 1) {
          this.#rest(slot);
        } else {
          this.#slots.splice(this.#slots.indexOf(slot), 1);
          void this.#end(slot);
        }
      },
      alone ? idleMs.last : idleMs.extra,
    ).unref();
  }

  async #end(slot: Slot): Promise<void> {
    clearTimeout(slot.idleTimer);
    await slot.worker.terminate();
  }

  #exited(slot: Slot, code: number): void {
    const at = this.#slots.indexOf(slot);
    if (at === -1) return;
    this.#slots.splice(at, 1);
    clearTimeout(slot.idleTimer);
    const cause = slot.error ?? new Error(`The worker thread exited with code ${code}`);
    this.#failed(cause, { loaded: slot.ready, batch: slot.batch });
    this.#pump();
  }

  #failed(cause: Error, worker: { readonly loaded: boolean; readonly batch?: Batch | undefined }): void {
    const error = worker.loaded
      ? new KbError("KB_EMBED_FAILED", "The thread of the bundled model ended unexpectedly", { cause })
      : new KbError("KB_EMBED_FAILED", "The bundled model could not be loaded", {
          cause,
          hint: "Install kb-mcp anew: the model is part of its packages.",
        });
    this.#settings.logger.warn(`${error.message}: ${cause.message}`);
    this.#failures++;
    this.#lastFailure = { at: performance.now(), error };
    worker.batch?.fail(error);
    // A model that did not load would not load for the rest either, unless another worker has it.
    if (this.#slots.length === 0 && !worker.loaded) this.#queue.rejectAll(error);
  }
}
