import { useCallback, useSyncExternalStore } from 'react';

/** How often what the clock says is looked at. */
const TICK_MS = 200;

function subscribe(onTick: () => void): () => void {
  const timer = setInterval(onTick, TICK_MS);
  document.addEventListener('visibilitychange', onTick);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onTick);
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
