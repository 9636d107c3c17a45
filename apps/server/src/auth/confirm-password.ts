import { ERRORS } from '@drawhouse/contract/frame/errors';
import type { Actor } from '../accounts/authority.ts';
import { appendActivity } from '../activity/append-activity.ts';
import { runKeptCommand } from '../activity/run-command.ts';
import type { Services } from '../services.ts';
import { CallError } from '../http/http-errors.ts';
import type { Call } from '../http/handler.ts';
import { notePasswordGiven } from './recent-password.ts';
import { checkPassword } from './require-password.ts';

/**
 * Takes the actor's password again, for what is sensitive in this session. Logged as a sign-in is, refused or not; what is refused
 * unseen is summed up. Throws WRONG_PASSWORD, THROTTLED, NOT_READY or SESSION_ENDED.
 */
export async function confirmPassword(services: Services, call: Call<Actor>, password: string): Promise<void> {
  try {
    await checkPassword(services, call, password);
  } catch (error) {
    if (error instanceof CallError && error.code === 'WRONG_PASSWORD') await logRefusal(services, call);
    throw error;
  }
  await runKeptCommand(services, call, async (tx, at) => {
    if (!(await notePasswordGiven(tx, call, at))) throw new CallError('SESSION_ENDED');
    return { result: undefined, subject: 'Confirmed their own password' };
  });
}

async function logRefusal(services: Services, { actor, origin }: Call<Actor>): Promise<void> {
  const { id: accountId, networkId, username } = actor;
  const subject = `Confirmation refused: ${ERRORS.WRONG_PASSWORD.message}`;
  await services.db.transaction((tx) =>
    appendActivity(tx, networkId, services, [{ accountId, username, subject, origin }]),
  );
}
