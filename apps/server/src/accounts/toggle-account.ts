import type { Account } from '@drawhouse/contract/accounts';
import type { Role } from '@drawhouse/contract/primitives';
import { runCommand } from '../activity/run-command.ts';
import type { Tx } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import { CallError } from '../http/errors.ts';
import type { Call } from '../http/handler.ts';
import { findAccount } from './accounts.sql.ts';
import { inSubtree } from './authority.ts';
import type { Actor } from './authority.ts';

/** Ends the sessions of an account and of everyone below it; part of the auth feature. */
export type EndSessionsBelow = (tx: Tx, accountId: string) => Promise<void>;

/**
 * Activates or deactivates an account below the actor. Deactivating ends the sessions of its whole subtree in the same
 * transaction, and nobody in it can sign in or bet until it is active again.
 */
export async function toggleAccount(
  services: Services,
  call: Call<Actor>,
  target: { id: string; role: Role; active: boolean },
  endSessionsBelow: EndSessionsBelow,
): Promise<Account> {
  return runCommand(services, call, async (tx, at) => {
    const [changed] = await tx.query<{ username: string }>(
      `update accounts a set active = $4
       where a.id = $2 and a.role = $3 and a.id <> $1 and ${inSubtree('a', '$1')} returning a.username`,
      [call.actor.id, target.id, target.role, target.active],
    );
    if (!changed) throw new CallError('NOT_FOUND');
    if (!target.active) await endSessionsBelow(tx, target.id);
    return {
      result: (await findAccount(tx, call.actor.id, at, { id: target.id }))!,
      subject: `${target.active ? 'Activated' : 'Deactivated'} ${target.role} ${changed.username}`,
      detail: { accountId: target.id },
    };
  });
}
