import { createSessionStore } from '@drawhouse/session/session-store';
import { setDayZone } from './serverDays.ts';
import { forgetAllKeys } from './idempotencyKey.ts';

/** Shared with the players' client on the same server. */
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

function takeDayZone(): void {
  setDayZone(getSession()?.user?.timeZone);
}
takeDayZone();

onSession(() => {
  takeDayZone();
  if (getSessionEnd() === 'signed-out') forgetAllKeys();
});
