/** Milliseconds. */
const STALE_FETCH_MS = 5_000;

/** Refreshes in the next task, then at intervals, until the returned function is called. */
export function keepFetching(refresh: () => void): () => void {
  const atOnce = setTimeout(refresh);
  const timer = setInterval(refresh, STALE_FETCH_MS);
  return () => {
    clearTimeout(atOnce);
    clearInterval(timer);
  };
}
