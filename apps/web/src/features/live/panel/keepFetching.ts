/** While the panel is stale, it is fetched this often. */
const STALE_FETCH_MS = 5_000;

/** Fetches as soon as whoever calls has ended, and every few seconds, until what it answers is called. */
export function keepFetching(refresh: () => void): () => void {
  const atOnce = setTimeout(refresh);
  const timer = setInterval(refresh, STALE_FETCH_MS);
  return () => {
    clearTimeout(atOnce);
    clearInterval(timer);
  };
}
