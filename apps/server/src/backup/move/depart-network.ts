import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { copyAccounts } from '../../accounts/move/staged-accounts.ts';
import { appendActivity, SYSTEM } from '../../activity/append-activity.ts';
import { forgetFenced, type Fence } from '../../activity/network-work/fences.ts';
import { lockNetworksExclusively } from '../../activity/network-work/network-work.ts';
import { endSessionsBelow } from '../../auth/sessions/sessions.ts';
import { lockWallets, move } from '../../ledger/post.ts';
import { ISSUANCE } from '../../ledger/wallets.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { NOWHERE } from '../../platform/http/handler.ts';
import type { Services } from '../../platform/services.ts';
import { BACKUP_SUBJECTS } from '../backup-texts.ts';
import { concernsNetwork } from '../backup-tables.ts';

/**
 * Returns the network's credit to issuance. The root's log rows about its accounts stop counting: the other cell proves
 * both. The rows stay staged for a day.
 */
export async function departNetwork(services: Services, tx: Tx, fence: Fence): Promise<void> {
  const { networkId, adminId, moveId, cell } = fence;
  await lockNetworksExclusively(tx, [ROOT_NETWORK, networkId]);
  const [admin] = await tx.query<{ username: string }>(
    sql`select username from accounts where id = ${adminId} and network_id = ${networkId}`,
  );
  if (!admin) {
    // Only its replication came here.
    await forgetFenced(tx, fence);
    return;
  }
  await tx.query(
    sql`insert into undone_activity (network_id, seq, restore_id)
      select ${ROOT_NETWORK}::int, seq, ${moveId}::uuid from activity l
      where l.network_id = ${ROOT_NETWORK} and (${concernsNetwork(sql`${networkId}`)}
        -- Undone by restores.
        or l.seq in (select seq from undone_activity where network_id = ${networkId}))
      on conflict do nothing`,
  );
  const { amount, version } = await returnCredit(services, tx, fence);
  await endSessionsBelow(services, tx, adminId, 'subtree');
  await copyAccounts(tx, networkId);
  await forgetFenced(tx, fence);
  const at = services.clock.now();
  await tx.query(sql`select put_beside(${networkId}, ${at})`);
  const departed = { id: moveId, adminId, networkId, cell, amount: String(amount), version: String(version) };
  await appendActivity(tx, ROOT_NETWORK, services, [
    {
      accountId: null,
      username: SYSTEM,
      subject: BACKUP_SUBJECTS.departed(admin.username, cell),
      origin: NOWHERE,
      detail: { departed },
    },
  ]);
}

/** Mirrors `issueMovedCredit`. Returns the root's last boundary version. */
async function returnCredit(
  services: Services,
  tx: Tx,
  { adminId, moveId }: Fence,
): Promise<{ readonly amount: bigint; readonly version: bigint }> {
  const from = `boundary:${adminId}` as const;
  const wallets = await lockWallets(tx, ROOT_NETWORK, [from, ISSUANCE]);
  const { balance: amount, version } = wallets.get(from)!;
  if (amount === 0n) return { amount, version };
  const posting = { from, to: ISSUANCE, amount, kind: 'restore', actorId: null, reference: moveId } as const;
  const { clock, newId, events } = services;
  await move(tx, ROOT_NETWORK, { at: clock.now(), newId, events }, wallets, [posting]);
  return { amount, version: version + 1n };
}
