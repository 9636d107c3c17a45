/** How much memory this process had, in bytes. */
export interface MemoryWatched {
  readonly peak: number;
  /** Beyond what it had at first. */
  readonly grown: number;
}

/** Looks at the memory of this process every so often until the function that it gives is called. */
export function createMemoryWatch(everyMs: number): () => MemoryWatched {
  const base = process.memoryUsage().rss;
  let peak = base;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), everyMs);
  return () => {
    clearInterval(timer);
    return { peak, grown: peak - base };
  };
}
