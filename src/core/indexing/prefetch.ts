// Runs an asynchronous step ahead of its consumer.

/**
 * Maps items in order with up to `ahead` calls under way; yields results in the order of the items. When the
 * consumer stops early, calls under way are left to end by themselves and their failures are swallowed.
 */
export async function* prefetch<Item, Result>(
  items: readonly Item[],
  ahead: number,
  step: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  let started = 0;
  const fill = (): void => {
    for (const item of items.slice(started, started + ahead - underWay.length)) {
      const promise = step(item);
      started++;
      // Handled when its turn comes; until then a rejection must not count as unhandled.
      promise.catch(() => undefined);
      underWay.push(promise);
    }
  };
  for (;;) {
    fill();
    const next = underWay.shift();
    if (next === undefined) return;
    yield await next;
  }
}
