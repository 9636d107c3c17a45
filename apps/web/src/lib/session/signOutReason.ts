import { createPageStore } from '@drawhouse/session/page-store';
import { getSession, onSession } from './session.ts';

const farewell = createPageStore<string | null>(null);
export const useSignOutReason = farewell.useValue;

/** Replaces the sign-in page's text with the reason the session ended, until the next sign-in. */
export function setSignOutReason(text: string): void {
  farewell.set(text);
}

let wasSignedIn = getSession() !== null;
onSession(() => {
  const isSignedIn = getSession() !== null;
  if (isSignedIn && !wasSignedIn) farewell.set(null);
  wasSignedIn = isSignedIn;
});
