/** Runs at most `atOnce` jobs at a time, in order. Starts no more after the signal aborts. */
export async function runAFew<Item>(
  items: readonly Item[],
  atOnce: number,
  run: (item: Item) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  let next = 0;
  async function lane(): Promise<void> {
    while (next < items.length && !signal?.aborted) {
      const item = items[next]!;
      next += 1;
      await run(item);
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
}
