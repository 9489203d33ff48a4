// The texts that wait for a worker, cut into small batches. Decides the order; knows no threads.
import { setMaxListeners } from "node:events";
import { KbError } from "../../../core/plugin-api.js";

/**
 * Documents handed to a worker at once: 100 to 150 milliseconds of work, which is the longest that a query waits
 * for a busy worker. The message itself costs a tenth of a millisecond.
 */
const textsPerBatch = 3;

/** Some texts of one job, on their way through a worker. */
export interface Batch {
  readonly texts: readonly string[];
  /** Takes the vectors of the texts, in order. */
  settle(vectors: readonly Float32Array[]): void;
  /** Fails the whole job. */
  fail(error: KbError): void;
}

interface Job {
  readonly texts: readonly string[];
  readonly vectors: Float32Array[];
  /** Texts handed out, and texts answered. */
  taken: number;
  done: number;
  readonly succeed: () => void;
  readonly fail: (error: KbError) => void;
}

export class JobQueue {
  readonly #urgent: Job[] = [];
  readonly #documents: Job[] = [];

  /** Texts of documents and queries that no worker has been given yet. */
  get waitingTexts(): number {
    let texts = 0;
    for (const job of [...this.#urgent, ...this.#documents]) texts += job.texts.length - job.taken;
    return texts;
  }

  /**
   * Resolves with one vector for each text, in order.
   * @throws KbError what the batch fails with; KB_CANCELLED when the signal aborts
   */
  add(
    texts: readonly string[],
    signal: AbortSignal,
    { urgent }: { readonly urgent: boolean },
  ): Promise<Float32Array[]> {
    const queue = urgent ? this.#urgent : this.#documents;
    return new Promise((resolve, reject) => {
      const cancel = (): void => job.fail(new KbError("KB_CANCELLED", "Embedding was cancelled"));
      const end = (): void => {
        signal.removeEventListener("abort", cancel);
        const at = queue.indexOf(job);
        if (at !== -1) queue.splice(at, 1);
      };
      const job: Job = {
        texts,
        vectors: [],
        taken: 0,
        done: 0,
        succeed: () => {
          end();
          resolve(job.vectors);
        },
        fail: (error) => {
          end();
          reject(error);
        },
      };
      if (signal.aborted) {
        cancel();
        return;
      }
      // One signal may well cancel many jobs; by default Node takes more than ten listeners for a leak.
      setMaxListeners(0, signal);
      signal.addEventListener("abort", cancel, { once: true });
      queue.push(job);
    });
  }

  /** The next texts for a worker: a query alone, else some documents of one job. */
  take(): Batch | undefined {
    const queue = this.#urgent.length > 0 ? this.#urgent : this.#documents;
    const job = queue[0];
    if (job === undefined) return undefined;
    const at = job.taken;
    const texts = job.texts.slice(at, at + textsPerBatch);
    job.taken += texts.length;
    if (job.taken === job.texts.length) queue.shift();
    return {
      texts,
      settle: (vectors) => {
        vectors.forEach((vector, i) => (job.vectors[at + i] = vector));
        job.done += vectors.length;
        if (job.done === job.texts.length) job.succeed();
      },
      fail: job.fail,
    };
  }

  rejectAll(error: KbError): void {
    for (const job of [...this.#urgent, ...this.#documents]) job.fail(error);
  }
}
