import { useCallback, useSyncExternalStore } from 'react';

/** Milliseconds. */
const TICK_MS = 200;

const readers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  for (const read of readers) read();
}

/** All clocks share one timer. */
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

/** Renders only when the result of `read` changes, so return a coarse number, text or boolean. */
export function useServerClock<T extends string | number | boolean>(offset: number, read: (serverNow: number) => T): T {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => read(Date.now() + offset), [offset, read]),
  );
}
