// Lets other work of the process have a turn in the middle of a long loop.
import { setImmediate as nextTurn } from "node:timers/promises";

/** Milliseconds of work between two turns of the event loop. */
const turnMs = 8;
/** Steps between two looks at the clock. */
const stride = 64;

export class Pacer {
  #steps = 0;
  #since = performance.now();

  /** To be asked at every step; cheap. */
  isDue(): boolean {
    return ++this.#steps % stride === 0 && performance.now() - this.#since > turnMs;
  }

  async turn(): Promise<void> {
    await nextTurn();
    this.#since = performance.now();
  }
}
