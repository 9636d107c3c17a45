import { useCallback, useSyncExternalStore } from 'react';

/** How often what the clock says is looked at. */
const TICK_MS = 200;
/** How many of the last answers the clock is read from. */
const SAMPLES = 8;

const readers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let samples: readonly number[] = [];
/** The same by the steady clock, which nobody sets; it may stand still while the device sleeps, and is behind then. */
let steadySamples: readonly number[] = [];
/** What it last came to: it never goes back. */
let earliest = -Infinity;

/** Takes the server's clock from the time in what it has just sent. It is received later than it was sent, so the largest of the last differences counts. */
export function noteServerTime(serverTime: string): void {
  const sent = Date.parse(serverTime);
  if (Number.isNaN(sent)) return;
  samples = [...samples, sent - Date.now()].slice(-SAMPLES);
  steadySamples = [...steadySamples, sent - performance.now()].slice(-SAMPLES);
}

/** The time at the server, in milliseconds since 1970. */
export function serverNow(): number {
  return Date.now() + (samples.length === 0 ? 0 : Math.max(...samples));
}

/** The time at the server or a little less, whatever the clock of the device is set to, in milliseconds since 1970; null before it was heard. */
export function earliestServerNow(): number | null {
  if (steadySamples.length === 0) return null;
  earliest = Math.max(earliest, performance.now() + Math.max(...steadySamples));
  return earliest;
}

/** However many clocks a page shows, one timer moves them. */
function subscribe(read: () => void): () => void {
  if (readers.size === 0) {
    timer = setInterval(tick, TICK_MS);
    document.addEventListener('visibilitychange', tick);
  }
  readers.add(read);
  return () => {
    readers.delete(read);
    if (readers.size > 0) return;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
  };
}

function tick(): void {
  for (const read of readers) read();
}

/** What `read` makes of the server's time, kept up to date. It renders again only where the answer changes: a number, a text, or a yes or no. */
export function useServerTime<T extends string | number | boolean>(read: (now: number) => T): T {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => read(serverNow()), [read]),
  );
}

/** Whole seconds until an instant, 0 from its last second on. */
export function secondsUntil(instant: string, now: number): number {
  const leftMs = Date.parse(instant) - now;
  return leftMs <= 1000 ? 0 : Math.ceil(leftMs / 1000);
}
