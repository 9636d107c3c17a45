import { createSessionStore } from '@drawhouse/session/session-store';

export const {
  getSession,
  getSessionEnd,
  onSession,
  useSession,
  useSessionTime,
  noteServerDate,
  startSession,
  updateSession,
  noteSessionUse,
  endSession,
} = createSessionStore(window, Date.now);
