import { createTicker } from '@drawhouse/session/page-store';
import { useCallback, useSyncExternalStore } from 'react';

const TICK_MS = 200;
const SAMPLES = 8;

const subscribe = createTicker(() => document, TICK_MS);
let samples: readonly number[] = [];
/** Samples of a monotonic clock, which may stop during sleep and then lag. */
let steadySamples: readonly number[] = [];
let earliest = -Infinity;

/** Transit only lowers a sample, so the highest is best. */
export function noteServerTime(serverTime: string): void {
  const sent = Date.parse(serverTime);
  if (Number.isNaN(sent)) return;
  samples = [...samples, sent - Date.now()].slice(-SAMPLES);
  steadySamples = [...steadySamples, sent - performance.now()].slice(-SAMPLES);
}

export function serverNow(): number {
  return Date.now() + (samples.length === 0 ? 0 : Math.max(...samples));
}

/** Unix milliseconds, independent of the device clock. Null before the first sample. */
export function earliestServerNow(): number | null {
  if (steadySamples.length === 0) return null;
  earliest = Math.max(earliest, performance.now() + Math.max(...steadySamples));
  return earliest;
}

/** Rerenders only when the value changes. */
export function useServerTime<T extends string | number | boolean>(read: (now: number) => T): T {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => read(serverNow()), [read]),
  );
}

/** Reaches 0 in the last second. */
export function secondsUntil(instant: string, now: number): number {
  const leftMs = Date.parse(instant) - now;
  return leftMs <= 1000 ? 0 : Math.ceil(leftMs / 1000);
}
