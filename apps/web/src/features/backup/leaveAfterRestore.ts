import { sayFarewell } from '../../lib/farewell.ts';
import { endSession } from '../../lib/session.ts';

/** Leads to the sign-in, which says what was done and why the session ended, once the sessions of the network have ended. */
export function leaveAfterRestore(message: string, why: string): void {
  sayFarewell(`${message}. ${why}`);
  // The server has ended it too: whichever is heard first says the same.
  endSession('ended');
}
