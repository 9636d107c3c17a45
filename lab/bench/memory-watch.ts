/** Bytes. */
export interface MemoryWatched {
  readonly peak: number;
  /** Growth since the start. */
  readonly grown: number;
}

/** Samples this process's memory until the returned function is called. */
export function createMemoryWatch(everyMs: number): () => MemoryWatched {
  const base = process.memoryUsage().rss;
  let peak = base;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), everyMs);
  return () => {
    clearInterval(timer);
    return { peak, grown: peak - base };
  };
}
