import { notifications } from '@mantine/notifications';
import { endSession } from '../../lib/session.ts';

/** Leads to the sign-in once the sessions of the network have ended, with what was done and why it has to be. */
export function leaveAfterRestore(message: string, why: string): void {
  notifications.show({ title: message, message: why, autoClose: false });
  // The server has ended it: whoever hears of that first says so.
  endSession('ended');
}
