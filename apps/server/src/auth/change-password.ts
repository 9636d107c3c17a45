import type { Actor } from '../accounts/authority.ts';
import { replacePassword } from '../accounts/own-account.ts';
import { changeOf } from '../activity/changes.ts';
import { runKeptCommand } from '../activity/run-command.ts';
import type { Services } from '../services.ts';
import { CallError } from '../http/http-errors.ts';
import type { Call } from '../http/handler.ts';
import { hashNewPassword, SAME_PASSWORD } from './password-policy.ts';
import { endElevations } from './elevations.ts';
import { requirePassword, wrongPassword } from './require-password.ts';
import { endOwnSessions, sessionIdOf } from './sessions.ts';

/** Old password, new one, and the new one once more. */
export interface PasswordChange {
  readonly opass: string;
  readonly npass: string;
  readonly cpass: string;
}

/** Gives the actor a new password. Ends its other sessions, and the elevations of this one. Throws a CallError that names the wrong field. */
export async function changePassword(services: Services, call: Call<Actor>, change: PasswordChange): Promise<void> {
  if (change.npass !== change.cpass)
    throw new CallError('INVALID_INPUT', { fields: { cpass: '❌ New and confirm password do not match.' } });
  const from = await requirePassword(services, call, change.opass, 'opass');
  // The old one has just been typed: no hash is needed to tell that the new one is the same.
  if (change.npass === change.opass) throw new CallError('INVALID_INPUT', { fields: { npass: SAME_PASSWORD } });
  const to = await hashNewPassword(change.npass, call.actor, call.actor.id, 'npass');
  const current = sessionIdOf(call.token!);
  await runKeptCommand(services, call, async (tx) => {
    if (!(await replacePassword(tx, call.actor.id, { from, to }))) throw wrongPassword('opass');
    const ended = await endOwnSessions(services, tx, call.actor.id, { allBut: current });
    await endElevations(tx, current);
    return {
      result: undefined,
      subject: 'Changed their own password',
      changes: [
        ...changeOf('Password', null, 'Changed'),
        ...(ended === 0 ? [] : changeOf('Other sessions', String(ended), '0')),
      ],
    };
  });
}
