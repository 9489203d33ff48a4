// Runs an asynchronous step ahead of its consumer.

/** How far ahead the step may run. At least one call is always under way. */
export interface Ahead<Item> {
  /** Calls under way, or done and not yet taken. */
  readonly items: number;
  /** Weight that the items of those calls may have together. */
  readonly weight: number;
  weightOf(item: Item): number;
}

/**
 * Maps items in order with calls under way ahead of the consumer; yields results in the order of the items. When
 * the consumer stops early, calls under way are left to end by themselves and their failures are swallowed.
 */
export async function* prefetch<Item, Result>(
  items: readonly Item[],
  step: (item: Item) => Promise<Result>,
  ahead: Ahead<Item>,
): AsyncGenerator<Result> {
  const underWay: { readonly result: Promise<Result>; readonly weight: number }[] = [];
  let weight = 0;
  let started = 0;
  const fill = (): void => {
    for (const item of items.slice(started, started + ahead.items - underWay.length)) {
      const own = ahead.weightOf(item);
      if (underWay.length > 0 && weight + own > ahead.weight) return;
      const result = step(item);
      started++;
      weight += own;
      // Handled when its turn comes; until then a rejection must not count as unhandled.
      result.catch(() => undefined);
      underWay.push({ result, weight: own });
    }
  };
  for (;;) {
    fill();
    const next = underWay.shift();
    if (next === undefined) return;
    yield await next.result;
    weight -= next.weight;
  }
}
