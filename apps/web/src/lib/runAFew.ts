/** Runs something for each item, at most `atOnce` at a time, in their order; stops beginning new ones once the signal is aborted. */
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
