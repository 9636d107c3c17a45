import { ERRORS } from '@drawhouse/contract/frame/errors';
import type { Actor } from '../../accounts/authority.ts';
import { lockIfPasswordUnchanged } from '../../accounts/read/own-account.ts';
import { appendActivity } from '../../activity/append-activity.ts';
import { runCommandDuringRestore } from '../../activity/run-command.ts';
import type { Services } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Call } from '../../platform/http/handler.ts';
import { openElevation } from './elevations.ts';
import { requirePassword, wrongPassword } from './require-password.ts';

/**
 * Opens an elevation for the actor's password; returns its secret. Opens nothing if the password changes before commit.
 * Throws as {@link confirmPassword}, or SESSION_ENDED.
 */
export async function elevate(services: Services, call: Call<Actor>, password: string): Promise<string> {
  const hash = await confirmPassword(services, call, password);
  return runCommandDuringRestore(services, call, async (tx, at) => {
    // Lock order: account before session, like password changes.
    if (!(await lockIfPasswordUnchanged(tx, call.actor.id, hash))) throw wrongPassword('password');
    return { result: await openElevation(tx, call.sessionId, at), subject: 'Confirmed their own password' };
  });
}

/**
 * Checks the actor's password for a sensitive call; returns the matching hash. Logs failures like failed sign-ins.
 * Throws as `requirePassword`.
 */
export async function confirmPassword(
  services: Services,
  call: Call<Actor>,
  password: string,
  field = 'password',
): Promise<string> {
  try {
    return await requirePassword(services, call, password, field);
  } catch (error) {
    if (error instanceof CallError && error.code === 'WRONG_PASSWORD') await logRefusal(services, call);
    throw error;
  }
}

async function logRefusal(services: Services, { actor, origin }: Call<Actor>): Promise<void> {
  const { id: accountId, networkId, username } = actor;
  const subject = `Confirmation refused: ${ERRORS.WRONG_PASSWORD.message}`;
  await services.db.transaction((tx) =>
    appendActivity(tx, networkId, services, [{ accountId, username, subject, origin }]),
  );
}
