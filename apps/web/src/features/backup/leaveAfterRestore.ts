import { sayFarewell } from '../../lib/farewell.ts';
import { endSession } from '../../lib/session.ts';

export function leaveAfterRestore(message: string, why: string): void {
  sayFarewell(`${message}. ${why}`);
  // The server ends the session too. Both paths show the same text.
  endSession('ended');
}
