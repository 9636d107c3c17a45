import { useSyncExternalStore } from 'react';

/** Display time in milliseconds: base plus extra per letter. */
const STAYS_MS = 4000;
const OF_A_LETTER_MS = 45;

const listeners = new Set<() => void>();
let said: string | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

export function say(sentence: string): void {
  clearTimeout(timer);
  set(sentence);
  timer = setTimeout(() => set(null), STAYS_MS + sentence.length * OF_A_LETTER_MS);
}

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
