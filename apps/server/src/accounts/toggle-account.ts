import type { Account } from '@drawhouse/contract/accounts/accounts';
import { runCommand, runKeptCommand } from '../activity/run-command.ts';
import type { Services } from '../services.ts';
import type { Call } from '../http/handler.ts';
import { accountChanges } from './account-changes.ts';
import { findAccount } from './accounts.sql.ts';
import type { Actor } from './authority.ts';
import { lockTarget } from './lock-target.ts';
import { endAdminKeys } from './end-admin-keys.ts';
import { sql } from '../db/sql.ts';
import type { EndApiKeys, EndSessionsBelow, TargetName } from './lock-target.ts';

/**
 * Activates or deactivates an account below the actor. Deactivating ends the sessions of its whole subtree, and the API
 * keys of an admin, in the same transaction, and nobody in it can sign in or bet until it is active again.
 */
export async function toggleAccount(
  services: Services,
  call: Call<Actor>,
  target: TargetName & { active: boolean },
  { endSessionsBelow, endApiKeys }: { readonly endSessionsBelow: EndSessionsBelow; readonly endApiKeys: EndApiKeys },
): Promise<Account> {
  const run = target.active ? runCommand : runKeptCommand;
  return run(services, call, async (tx, at) => {
    const locked = await lockTarget(tx, call.actor, target);
    const { id, username } = locked;
    const before = (await findAccount(tx, call.actor, at, { id }))!;
    await tx.query(sql`update accounts set active = ${target.active} where id = ${id}`);
    if (!target.active) await endSessionsBelow(tx, id, 'subtree');
    const more = target.active ? [] : await endAdminKeys(tx, locked, target, at, endApiKeys);
    const after = (await findAccount(tx, call.actor, at, { id }))!;
    return {
      result: after,
      subject: `${target.active ? 'Activated' : 'Deactivated'} ${target.role} ${username}`,
      detail: { accountId: id },
      changes: accountChanges(before, after),
      more,
    };
  });
}
