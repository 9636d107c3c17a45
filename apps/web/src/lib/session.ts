import { createSessionStore } from '@drawhouse/session/session-store';
import { setDayZone } from './serverDays.ts';
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

/** The account has the time zone of the server's days. */
function takeDayZone(): void {
  setDayZone(getSession()?.user?.timeZone);
}
takeDayZone();

onSession(() => {
  takeDayZone();
  if (getSessionEnd() === 'signed-out') forgetAllKeys();
});
