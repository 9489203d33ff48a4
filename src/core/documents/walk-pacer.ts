// Keeps synchronous work from holding the event loop for long.
import { setImmediate } from "node:timers/promises";

/** Counts the time since the event loop last had its turn. */
export class Pacer {
  readonly #sliceMs: number;
  #end: number;

  /** @param sliceMs the default is well under what a client notices and well over what a turn costs */
  constructor(sliceMs = 4) {
    this.#sliceMs = sliceMs;
    this.#end = performance.now() + sliceMs;
  }

  /** To be called after any other await. */
  start(): void {
    this.#end = performance.now() + this.#sliceMs;
  }

  get due(): boolean {
    return performance.now() >= this.#end;
  }

  /** Gives the event loop its turn. */
  async rest(): Promise<void> {
    await setImmediate();
    this.start();
  }
}
