import { useSyncExternalStore } from 'react';
import { dayOf } from './periods.ts';
import type { Day } from './periods.ts';

const LOOK_MS = 30_000;

function subscribe(onLook: () => void): () => void {
  const timer = setInterval(onLook, LOOK_MS);
  return () => clearInterval(timer);
}

/** Current day in the server's time zone. Re-renders at midnight, so a report of Today stays current. */
export function useToday(): Day {
  return useSyncExternalStore(subscribe, () => dayOf(new Date()));
}
