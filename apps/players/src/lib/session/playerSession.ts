import { createSessionStore, type SessionTime } from '@drawhouse/session/session-store';
import type { Session } from '@drawhouse/session/session-storage';
import { useSyncExternalStore } from 'react';

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

export function useSession(): Session | null {
  return useSyncExternalStore(onSession, getSession);
}

export function useSessionTime(): SessionTime {
  return useSyncExternalStore(store.onSessionTime, store.getSessionTime);
}
