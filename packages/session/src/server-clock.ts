import { useSyncExternalStore } from 'react';
import { createTicker, type TickedPage } from './page-store.ts';

const SAMPLES = 8;
const TICK_MS = 200;

/** The countdown shows 0 and resyncs the clock (docs/spec/game-operations.md §4). */
const LAST_SECOND_MS = 1_000;

/** Delay only lowers a sample, so the largest recent one is best. */
export function addClockSample(samples: readonly number[], serverTime: string, receivedAt: number): readonly number[] {
  const sent = Date.parse(serverTime);
  return Number.isNaN(sent) ? samples : [...samples, sent - receivedAt].slice(-SAMPLES);
}

export function clockOffset(samples: readonly number[]): number {
  return samples.length === 0 ? 0 : Math.max(...samples);
}

/** 0 during the last second. */
export function secondsUntil(instant: string, serverNow: number): number {
  const left = Date.parse(instant) - serverNow;
  return left <= LAST_SECOND_MS ? 0 : Math.ceil(left / 1000);
}

const subscribe = createTicker(() => (globalThis as unknown as { document: TickedPage }).document, TICK_MS);

/** Renders only when the result of `read` changes, so return a coarse value. */
export function useTicked<T extends string | number | boolean>(read: () => T): T {
  return useSyncExternalStore(subscribe, read);
}
