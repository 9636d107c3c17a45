import { useSyncExternalStore } from 'react';
import { dayOf } from './periods.ts';
import type { Day } from './periods.ts';

/** How often it is seen whether a new day has begun. */
const LOOK_MS = 30_000;

function subscribe(onLook: () => void): () => void {
  const timer = setInterval(onLook, LOOK_MS);
  return () => clearInterval(timer);
}

/** The day it is in the server's time zone. It renders again at midnight, so that a report of Today stays one. */
export function useToday(): Day {
  return useSyncExternalStore(subscribe, () => dayOf(new Date()));
}
