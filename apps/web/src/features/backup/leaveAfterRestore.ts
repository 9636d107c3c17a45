import { sayFarewell } from '../../lib/farewell.ts';
import { endSession } from '../../lib/session.ts';

/** Signs out after a restore and explains it on the sign-in page. */
export function leaveAfterRestore(message: string, why: string): void {
  sayFarewell(`${message}. ${why}`);
  // The server ends the session too. Both paths show the same text.
  endSession('ended');
}
