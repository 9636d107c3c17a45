import { ownerOf, type Actor } from '../authority.ts';
import { username as usernameRule } from '@drawhouse/contract/accounts/accounts';
import { percentOf } from '@drawhouse/contract/core/primitives';
import { safeParse } from 'zod/mini';
import { runCommand, type LoggedPart } from '../../activity/run-command.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Call } from '../../platform/http/handler.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { openNetwork } from '../../ledger/wallets.ts';
import type { Services } from '../../platform/services.ts';
import { lockCommissions } from '../commission-rules.ts';
import { insertAccount } from '../change/insert-account.ts';
import { requireDistinctName } from '../change/misleading-names.ts';
import { accountColumns, type NetworkSwap } from './staged-accounts.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { ACCOUNT_TEXTS, ACCOUNT_SUBJECTS } from '../accounts-texts.ts';

export type MovingCall = Pick<Call<Actor>, 'actor' | 'origin'>;

/** Creates an inactive, empty admin, or finds the one of an earlier attempt. */
export async function reserveMovedAdmin(
  services: Services,
  call: MovingCall,
  { id, username }: { readonly id: string; readonly username: string },
): Promise<Actor> {
  const { actor: superadmin } = call;
  const { directory } = services;
  const cell = await directory?.cellOf(id);
  if (cell !== undefined && cell !== directory!.cell)
    throw new CallError('RULE_REFUSED', { message: ACCOUNT_TEXTS.livesElsewhere(username, cell) });
  const fits = safeParse(usernameRule, username);
  if (!fits.success) throw new CallError('INVALID_INPUT', { fields: { username: fits.error.issues[0]!.message } });
  return runCommand<Actor>(services, call, async (tx, at) => {
    await lockCommissions(tx, [superadmin.id]);
    const [there] = await tx.query<Parameters<typeof ownerOf>[0] & { isAwaited: boolean }>(
      sql`select a.id, a.network_id as "networkId", a.username, a.role, a.chain, n.arrives and a.parent_id = ${superadmin.id}
        and a.deleted_at is null as "isAwaited"
       from accounts a left join networks n on n.admin_id = a.id where a.id = ${id}`,
    );
    if (there && !there.isAwaited)
      throw new CallError('RULE_REFUSED', {
        message: ACCOUNT_TEXTS.alreadyHere(there.username),
      });
    if (there) return { result: ownerOf(there), subject: null };
    await requireDistinctName(tx, username, superadmin);
    const networkId = await openNetwork(tx, id, true);
    const chain = [superadmin.id, id];
    await insertAccount(
      tx,
      {
        role: 'admin',
        username,
        // No password hashes to an empty string, so sign-in is impossible.
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
      },
      services.directory,
    );
    return {
      result: ownerOf({ id, networkId, username, role: 'admin', chain }),
      subject: ACCOUNT_SUBJECTS.createdToMove(username),
      detail: { accountId: id, parentId: superadmin.id, commission: 0, active: false },
    };
  });
}

/** Values a moved admin keeps. `unique_id` applies only on conflict. */
const LOCAL_COLUMNS = ['username', 'role', 'parent_id', 'chain', 'active', 'last_login_at', 'deleted_at', 'unique_id'];

export async function adoptAdminData(
  tx: Tx,
  { adminId, staged, username }: NetworkSwap & { readonly adminId: string; readonly username: string },
): Promise<LoggedPart> {
  const columns = (await accountColumns(tx)).filter((name) => !LOCAL_COLUMNS.includes(name));
  const [admin] = await tx.query<{ commission: number }>(
    sql`update accounts a set ${sql.raw(columns.map((name) => `${name} = s.${name}`).join(', '))},
       unique_id = case when exists (select from accounts b where b.unique_id = s.unique_id and b.id <> a.id)
         then a.unique_id else s.unique_id end
     from staged_accounts s where s.network_id = ${staged} and s.id = ${adminId} and a.id = ${adminId} returning a.commission`,
  );
  return {
    subject: ACCOUNT_SUBJECTS.settingsRestored(username),
    detail: { accountId: adminId, commission: percentOf(admin!.commission) },
  };
}

/** The admin was active in its old cell. */
export function activateMovedAdmin(services: Services, call: MovingCall, { id, username }: Actor): Promise<void> {
  return runCommand(services, call, async (tx) => {
    await tx.query(sql`update accounts set active = true where id = ${id}`);
    return {
      result: undefined,
      subject: ACCOUNT_SUBJECTS.activated(username),
      detail: { accountId: id, active: true },
    };
  });
}
