import { createTicker } from '@drawhouse/session/page-store';
import { useCallback, useState, useSyncExternalStore } from 'react';
import { addClockSample, clockOffset } from './drawClock.ts';

const TICK_MS = 200;

const subscribe = createTicker(() => document, TICK_MS);

/** Renders only when the result of `read` changes, so return a coarse value. */
export function useServerClock<T extends string | number | boolean>(offset: number, read: (serverNow: number) => T): T {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => read(Date.now() + offset), [offset, read]),
  );
}

/** Milliseconds that the server's clock is ahead, from polled answers. */
export function useClockOffset(answer: { serverTime: string; receivedAt: number } | undefined): number {
  const [clock, setClock] = useState<{ of: string; samples: readonly number[] }>({ of: '', samples: [] });
  if (answer && clock.of !== answer.serverTime)
    setClock({ of: answer.serverTime, samples: addClockSample(clock.samples, answer.serverTime, answer.receivedAt) });
  return clockOffset(clock.samples);
}
