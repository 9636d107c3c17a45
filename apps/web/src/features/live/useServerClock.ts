import { useCallback, useSyncExternalStore } from 'react';

/** How often what the clock says is looked at. */
const TICK_MS = 200;

const readers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  for (const read of readers) read();
}

/** However many clocks a page shows, one timer moves them. */
function subscribe(onTick: () => void): () => void {
  if (readers.size === 0) {
    timer = setInterval(tick, TICK_MS);
    document.addEventListener('visibilitychange', tick);
  }
  readers.add(onTick);
  return () => {
    readers.delete(onTick);
    if (readers.size > 0) return;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
  };
}

/**
 * What `read` makes of the server's time, kept up to date. It renders again only when the answer changes, so `read` should give a
 * number, a text or a yes or no, not the time itself.
 */
export function useServerClock<T extends string | number | boolean>(offset: number, read: (serverNow: number) => T): T {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => read(Date.now() + offset), [offset, read]),
  );
}
