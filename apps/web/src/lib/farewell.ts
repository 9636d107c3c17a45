import { useSyncExternalStore } from 'react';
import { getSession, onSession } from './session.ts';

let said: string | null = null;
const listeners = new Set<() => void>();

/** Says at the sign-in, until somebody signs in, why the session ended: in place of what the sign-in says by itself. */
export function sayFarewell(text: string): void {
  set(text);
}

/** What was said last, if nobody has signed in since. */
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
