// A value that is made on first use, once, and disposed of only if it was made.

export interface Lazy<T> {
  /** Makes the value on the first call. A failed attempt is not remembered: the next call tries again. */
  get(): Promise<T>;
  /** Disposes of the value if it was made; after that `get` makes a new one. */
  dispose(): Promise<void>;
}

/** Wraps an asynchronous construction, so that what is never used is never paid for. */
export function lazy<T>(create: () => T | Promise<T>, dispose?: (value: T) => Promise<void>): Lazy<T> {
  let made: Promise<T> | undefined;
  return {
    get() {
      const attempt = (made ??= Promise.resolve().then(create));
      attempt.catch(() => {
        if (made === attempt) made = undefined;
      });
      return attempt;
    },
    async dispose() {
      const current = made;
      made = undefined;
      if (current === undefined) return;
      const value = await current.catch(() => undefined);
      if (value !== undefined) await dispose?.(value);
    },
  };
}
