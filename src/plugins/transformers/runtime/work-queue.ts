// The pieces of work that wait for a model: those that somebody waits for go first. Knows no processes.
import { setMaxListeners } from "node:events";
import { KbError } from "../../../core/plugin-api.js";
import type { Answer, Work } from "./messages.js";

/** Each piece is small and has somebody who waits for it; more than these and something is amiss. */
const mostWaiting = 1000;

export interface WorkItem {
  readonly work: Work;
  readonly urgent: boolean;
  /** Whether a process ended while it worked on this. */
  interrupted: boolean;
  /** Whether nobody waits any more. */
  readonly isSettled: () => boolean;
  readonly succeed: (answer: Answer) => void;
  readonly fail: (error: KbError) => void;
}

export class WorkQueue {
  #items: WorkItem[] = [];

  /** @param fullCode the code where too many wait */
  constructor(private readonly fullCode: "KB_EMBED_FAILED" | "KB_RERANK_FAILED") {}

  /** @throws KbError what it fails with; KB_CANCELLED when the signal aborts, `fullCode` where too many wait */
  add(work: Work, signal: AbortSignal, { urgent }: { readonly urgent: boolean }): Promise<Answer> {
    if (this.#items.length >= mostWaiting)
      throw new KbError(this.fullCode, `${mostWaiting} pieces of work wait for the model already`, {
        hint: "Try again later.",
      });
    return new Promise((resolve, reject) => {
      let settled = false;
      const end = (settle: () => void): void => {
        if (settled) return;
        settled = true;
        signal.removeEventListener("abort", cancel);
        this.#items = this.#items.filter((other) => other !== item);
        settle();
      };
      const item: WorkItem = {
        work,
        urgent,
        interrupted: false,
        isSettled: () => settled,
        succeed: (answer) => end(() => resolve(answer)),
        fail: (error) => end(() => reject(error)),
      };
      const cancel = (): void => item.fail(new KbError("KB_CANCELLED", "Work with the model was cancelled"));
      if (signal.aborted) {
        cancel();
        return;
      }
      // One signal may well cancel many pieces; by default Node takes more than ten listeners for a leak.
      setMaxListeners(0, signal);
      signal.addEventListener("abort", cancel, { once: true });
      this.#items.push(item);
    });
  }

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  take(): WorkItem | undefined {
    const urgent = this.#items.findIndex((item) => item.urgent);
    return this.#items.splice(Math.max(0, urgent), 1)[0];
  }

  /** For work that has to be done once more. */
  putFirst(item: WorkItem): void {
    this.#items.unshift(item);
  }

  /** Fails all that waits. */
  fail(error: KbError): void {
    for (const item of [...this.#items]) item.fail(error);
  }
}
