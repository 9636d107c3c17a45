import { createSessionStore } from '@drawhouse/session/session-store';
import type { SessionTime } from '@drawhouse/session/session-store';
import type { Session } from '@drawhouse/session/kept-session';
import { useSyncExternalStore } from 'react';

/** The session of this tab, shared with the back-office on the same server. */
const store = createSessionStore(window, Date.now);

export const {
  getSession,
  getSessionEnd,
  onSession,
  noteServerDate,
  startSession,
  updateSession,
  noteSessionUse,
  endSession,
} = store;

/** The session, as it now is. */
export function useSession(): Session | null {
  return useSyncExternalStore(onSession, getSession);
}

/** How the session stands: it says how long is left in its last two minutes. */
export function useSessionTime(): SessionTime {
  return useSyncExternalStore(store.onSessionTime, store.getSessionTime);
}
