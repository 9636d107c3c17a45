import { useSyncExternalStore } from 'react';
import { getSession, onSession } from './session.ts';

let said: string | null = null;
const listeners = new Set<() => void>();

/** Replaces the sign-in page's text with the reason the session ended, until the next sign-in. */
export function sayFarewell(text: string): void {
  set(text);
}

export function useFarewell(): string | null {
  return useSyncExternalStore(listen, () => said);
}

let wasSignedIn = getSession() !== null;
onSession(() => {
  const isSignedIn = getSession() !== null;
  if (isSignedIn && !wasSignedIn) set(null);
  wasSignedIn = isSignedIn;
});

function set(text: string | null): void {
  said = text;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
