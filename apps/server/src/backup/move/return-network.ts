import { ROOT_NETWORK, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { addStagedAccounts } from '../../accounts/move/staged-accounts.ts';
import { appendActivity, discardPendingChanges, SYSTEM } from '../../activity/append-activity.ts';
import { noteReturn, type Fence } from '../../activity/network-work/fences.ts';
import { assignNetwork, createStagedNetwork } from '../../ledger/wallets.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { NOWHERE } from '../../platform/http/handler.ts';
import type { Services } from '../../platform/services.ts';
import { installationId } from '../../platform/settings/pinned-settings.ts';
import { selectRootLogExtract } from '../backup-tables.ts';
import { BACKUP_SUBJECTS } from '../backup-texts.ts';
import { lastReplaced } from '../restore/stage-network.ts';
import { issueMovedCredit, recordMove, rootExtractHash } from './moved-credit.ts';

export interface Departure {
  readonly moveId: string;
  readonly cell: string;
  /** When the copy was staged. */
  readonly since: Date;
}

/** Undefined if this cell has no copy of the network, or an outdated one. */
export async function lastDeparture(on: Queryable, fence: Fence, now: Date): Promise<Departure | undefined> {
  const { networkId, adminId } = fence;
  const copy = await lastReplaced(on, adminId, now);
  if (copy?.id !== networkId) return undefined;
  const [left] = await on.query<{ moveId: string; cell: string }>(
    sql`select detail -> 'departed' ->> 'id' as "moveId", detail -> 'departed' ->> 'cell' as cell from activity
      where network_id = ${ROOT_NETWORK} and detail -> 'departed' ->> 'adminId' = ${adminId} order by seq desc limit 1`,
  );
  return left && { ...left, since: copy.since };
}

/**
 * Turns the copy that a move left behind back into a network, as if the other cell had returned it unchanged.
 * Without a copy, it changes nothing. The caller has locked the root and the network.
 */
export async function returnNetwork(services: Services, tx: Tx, fence: Fence): Promise<void> {
  const { networkId, adminId, moveId } = fence;
  const at = services.clock.now();
  const left = await lastDeparture(tx, fence, new Date(0));
  if (!left) return;
  const { username } = await bringAccounts(tx, fence);
  await tellOwnRows(tx, fence, left);
  const exchange = { adminId, staged: networkId, live: networkId, rootLog: 0n, takenAt: left.since, username, moveId };
  await tx.query(
    sql`insert into moves (network_id, id, at, taken_at, amount, border_version, told_hash, username)
      select ${networkId}, ${left.moveId}, ${left.since}, ${left.since}, -balance, version, told_hash(${networkId}, ${left.moveId}),
        ${username} from wallets
      where network_id = ${networkId} and owner_id = ${adminId} and kind = ${sql.lit(WALLET_KINDS.boundary)}`,
  );
  await recordMove(services, tx, exchange);
  await issueMovedCredit(services, tx, exchange);
  await noteReturn(tx, fence, at);
  const moved = {
    id: moveId,
    installation: await installationId(tx),
    takenAt: left.since.toISOString(),
    told: await rootExtractHash(tx, networkId, moveId),
  };
  const entry = {
    accountId: null,
    username: SYSTEM,
    subject: BACKUP_SUBJECTS.returned(username, left.cell),
    origin: NOWHERE,
    detail: { accountId: adminId, moved },
  };
  await discardPendingChanges(tx);
  await appendActivity(tx, ROOT_NETWORK, services, [entry]);
  await appendActivity(tx, networkId, services, [entry]);
}

async function bringAccounts(tx: Tx, { networkId, adminId }: Fence): Promise<{ readonly username: string }> {
  await tx.query(
    sql`select shift_told(${networkId}, (select seq from activity_heads where network_id = ${ROOT_NETWORK}))`,
  );
  await createStagedNetwork(tx, networkId);
  await addStagedAccounts(tx, networkId);
  await assignNetwork(tx, networkId, adminId);
  await tx.query(sql`delete from staged_networks where id = ${networkId}`);
  const [admin] = await tx.query<{ username: string }>(sql`select username from accounts where id = ${adminId}`);
  return admin!;
}

/** The root's rows about the network moved with it. From now on, its last stay here counts as a stay elsewhere. */
async function tellOwnRows(tx: Tx, { networkId, moveId }: Fence, left: Departure): Promise<void> {
  await tx.query(
    sql`insert into moved_activity (network_id, move_id, seq, at, id, account_id, username, subject, detail)
      select ${networkId}::int, ${moveId}::uuid, told.seq, told.at, told.id, told.account_id, told.username, told.subject, told.detail
      from (${selectRootLogExtract(sql`${networkId}`)}) as told
      join activity_heads h on h.network_id = ${ROOT_NETWORK}
      where told.seq + h.seq not in (select seq from undone_activity where network_id = ${ROOT_NETWORK} and restore_id <> ${left.moveId})`,
  );
}
