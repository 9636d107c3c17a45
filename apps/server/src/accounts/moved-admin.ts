import { username as usernameRule } from '@drawhouse/contract/accounts/accounts';
import { percentOf } from '@drawhouse/contract/frame/primitives';
import { safeParse } from 'zod/mini';
import type { LoggedPart } from '../activity/run-command.ts';
import { runCommand } from '../activity/run-command.ts';
import type { Tx } from '../db/database.ts';
import type { Call } from '../http/handler.ts';
import { CallError } from '../http/http-errors.ts';
import { openNetwork } from '../ledger/wallets.ts';
import type { Services } from '../services.ts';
import type { Actor } from './authority.ts';
import { lockCommissions } from './commission-rules.ts';
import { insertAccount } from './insert-account.ts';
import { requireOwnLook } from './misleading-names.ts';
import { accountColumns } from './staged-accounts.ts';
import { sql } from '../db/sql.ts';
import type { Exchanged } from './staged-accounts.ts';

// The admin of a network that comes from another installation: it has its id from there, and is made before the network comes.

/** Who moves a network here: a superadmin, above whom there will be nobody but it. */
export type MovingCall = Pick<Call<Actor>, 'actor' | 'origin'>;

/**
 * Makes the admin of a network that is to come, inactive and with nothing, or finds it where an attempt before has made it. Throws USERNAME_TAKEN,
 * INVALID_INPUT where there is no such username, and RULE_REFUSED where the network is here already.
 */
export async function openMovedAdmin(
  services: Services,
  call: MovingCall,
  { id, username }: { readonly id: string; readonly username: string },
): Promise<Actor> {
  const { actor: superadmin } = call;
  const fits = safeParse(usernameRule, username);
  if (!fits.success) throw new CallError('INVALID_INPUT', { fields: { username: fits.error.issues[0]!.message } });
  return runCommand<Actor>(services, call, async (tx, at) => {
    // Two that come at once make it once.
    await lockCommissions(tx, [superadmin.id]);
    const [there] = await tx.query<Actor & { isAwaited: boolean }>(
      sql`select a.id, a.network_id as "networkId", a.username, a.role, a.chain, n.arrives and a.parent_id = ${superadmin.id} and a.deleted_at is null as "isAwaited"
       from accounts a left join networks n on n.admin_id = a.id where a.id = ${id}`,
    );
    if (there && !there.isAwaited)
      throw new CallError('RULE_REFUSED', {
        message: `The network of ${there.username} is here already, or was deleted here. What is here is restored from backups that were taken here.`,
      });
    if (there) return { result: there, subject: null };
    await requireOwnLook(tx, username, superadmin);
    const networkId = await openNetwork(tx, id, true);
    const chain = [superadmin.id, id];
    await insertAccount(tx, {
      role: 'admin',
      username,
      // Nobody signs in with it: there is no hash that a password could have.
      passwordHash: '',
      commission: 0,
      isCommissionGranted: false,
      note: '',
      active: false,
      id,
      networkId,
      parentId: superadmin.id,
      chain,
      at,
    });
    return {
      result: { id, networkId, username, role: 'admin', chain },
      subject: `Created admin ${username}, whose network is to be moved here`,
      detail: { accountId: id, parentId: superadmin.id, commission: 0, active: false },
    };
  });
}

/** What an admin whose network is moved keeps of here: its place, its name, whether it is active, and its sign-ins; its unique id only where another has that. */
const OF_HERE = ['username', 'role', 'parent_id', 'chain', 'active', 'last_login_at', 'deleted_at', 'unique_id'];

/** Gives the admin of a network that is to come what it had elsewhere, as `staged_accounts` has it; gives its row of the log. */
export async function takeOverAdmin(
  tx: Tx,
  { adminId, beside, username }: Exchanged & { readonly adminId: string; readonly username: string },
): Promise<LoggedPart> {
  const columns = (await accountColumns(tx)).filter((name) => !OF_HERE.includes(name));
  const [admin] = await tx.query<{ commission: number }>(
    sql`update accounts a set ${sql.raw(columns.map((name) => `${name} = s.${name}`).join(', '))},
       unique_id = case when exists (select from accounts b where b.unique_id = s.unique_id and b.id <> a.id) then a.unique_id else s.unique_id end
     from staged_accounts s where s.network_id = ${beside} and s.id = ${adminId} and a.id = ${adminId} returning a.commission`,
  );
  return {
    subject: `Gave admin ${username} what it had before its network was moved`,
    detail: { accountId: adminId, commission: percentOf(admin!.commission) },
  };
}
