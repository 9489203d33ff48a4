// Runs jobs one after another: commits of one process never meet.

export class Serial {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the job when all that were given before have ended, however they ended. */
  run<T>(job: () => Promise<T>): Promise<T> {
    const result = this.#last.then(job);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when every job given so far has ended. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
