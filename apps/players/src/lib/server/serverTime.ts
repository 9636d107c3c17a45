import { addClockSample, clockOffset, useTicked } from '@drawhouse/session/server-clock';

let samples: readonly number[] = [];
/** Samples of a monotonic clock, which may stop during sleep and then lag. */
let steadySamples: readonly number[] = [];
let earliest = -Infinity;

export function noteServerTime(serverTime: string): void {
  samples = addClockSample(samples, serverTime, Date.now());
  steadySamples = addClockSample(steadySamples, serverTime, performance.now());
}

export function serverNow(): number {
  return Date.now() + clockOffset(samples);
}

/** Unix milliseconds, independent of the device clock. Null before the first sample. */
export function earliestServerNow(): number | null {
  if (steadySamples.length === 0) return null;
  earliest = Math.max(earliest, performance.now() + Math.max(...steadySamples));
  return earliest;
}

/** Renders only when the result of `read` changes. */
export function useServerTime<T extends string | number | boolean>(read: (now: number) => T): T {
  return useTicked(() => read(serverNow()));
}
