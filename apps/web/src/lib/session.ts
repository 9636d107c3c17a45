import { createSessionStore } from '@drawhouse/session/session-store';
import { forgetAllKeys } from './idempotencyKey.ts';

/** The session of this tab, shared with the players' client on the same server. */
export const {
  getSession,
  getSessionEnd,
  getSessionTime,
  onSession,
  onSessionTime,
  noteServerDate,
  startSession,
  updateSession,
  noteSessionUse,
  endSession,
} = createSessionStore(window, Date.now);

onSession(() => {
  if (getSessionEnd() === 'signed-out') forgetAllKeys();
});
