/** Bytes. */
export interface MemoryWatched {
  readonly peak: number;
  readonly grown: number;
}

/** Samples memory until the returned function is called. */
export function createMemoryWatch(everyMs: number): () => MemoryWatched {
  const base = process.memoryUsage().rss;
  let peak = base;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), everyMs);
  return () => {
    clearInterval(timer);
    return { peak, grown: peak - base };
  };
}
