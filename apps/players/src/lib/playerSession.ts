import { createSessionStore } from '@drawhouse/session/session-store';
import type { SessionTime } from '@drawhouse/session/session-store';
import type { Session } from '@drawhouse/session/kept-session';
import { useSyncExternalStore } from 'react';

/** The session of this tab, shared with the back-office on the same server. */
export const {
  getSession,
  getSessionEnd,
  onSession,
  noteServerDate,
  startSession,
  updateSession,
  noteSessionUse,
  endSession,
  getSessionTime,
  onSessionTime,
} = createSessionStore(window, Date.now);

/** The session, as it now is. */
export function useSession(): Session | null {
  return useSyncExternalStore(onSession, getSession);
}

/** How the session stands: it says how long is left in its last two minutes. */
export function useSessionTime(): SessionTime {
  return useSyncExternalStore(onSessionTime, getSessionTime);
}
