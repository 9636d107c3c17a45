import { createTicker } from '@drawhouse/session/page-store';
import { useCallback, useSyncExternalStore } from 'react';

/** Milliseconds. */
const TICK_MS = 200;

const subscribe = createTicker(() => document, TICK_MS);

/** Renders only when the result of `read` changes, so return a coarse number, text or boolean. */
export function useServerClock<T extends string | number | boolean>(offset: number, read: (serverNow: number) => T): T {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => read(Date.now() + offset), [offset, read]),
  );
}
