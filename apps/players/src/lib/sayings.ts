import { useSyncExternalStore } from 'react';

/** A sentence stays so long, in milliseconds, and longer the more there is to read. */
const STAYS_MS = 4000;
const OF_A_LETTER_MS = 45;

const listeners = new Set<() => void>();
let said: string | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says a sentence at the foot of whichever page is shown, for a while. */
export function say(sentence: string): void {
  clearTimeout(timer);
  set(sentence);
  timer = setTimeout(() => set(null), STAYS_MS + sentence.length * OF_A_LETTER_MS);
}

/** What is being said; null where nothing is. */
export function useSaid(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => said,
  );
}

function set(now: string | null): void {
  said = now;
  for (const listener of listeners) listener();
}
