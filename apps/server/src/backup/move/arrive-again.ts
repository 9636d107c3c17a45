import { ROOT_NETWORK, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import type { Services } from '../../platform/services.ts';
import { giveRestored, type Exchange, type LastArrival } from '../restore/reconcile-with-root.ts';
import type { Manifest } from '../take/archive/manifest.ts';

// A network that left for another cell and came back has a move, which a backup from before lacks. Its departure hid the
// root's rows about it, which are part of the backup. So the restored network arrives by the same move: with the rows of
// the backup, and with the credit that the move brought.

/** The last move of the live network, if it has left this cell since the backup. */
export async function arrivalSince(
  on: Queryable,
  { rootLog }: Pick<Manifest, 'rootLog'>,
  { adminId, live }: Pick<Exchange, 'adminId' | 'live'>,
): Promise<LastArrival | undefined> {
  const [arrival] = await on.query<LastArrival & Record<string, unknown>>(
    sql`select id, at, taken_at as "takenAt", amount, username from moves where network_id = ${live} and exists (
        select from activity where network_id = ${ROOT_NETWORK} and seq > ${rootLog.seq}::bigint
          and detail -> 'departed' ->> 'adminId' = ${adminId}::text)
      order by border_version desc, at desc limit 1`,
  );
  return arrival;
}

/** Runs before the restore is reconciled with the root, for which versions and log positions are unknown: below 0. */
export async function arriveAgain(
  services: Services,
  tx: Tx,
  { adminId, staged, takenAt, username }: Exchange,
  arrival: LastArrival,
): Promise<void> {
  const boundary = sql`network_id = ${staged} and owner_id = ${adminId} and kind = ${sql.lit(WALLET_KINDS.boundary)}`;
  const [own] = await tx.query<{ amount: bigint }>(sql`select -balance as amount from wallets where ${boundary}`);
  const id = services.newId();
  const amount = arrival.amount - own!.amount;
  await tx.query(
    sql`insert into restores (network_id, id, at, taken_at, amount, root_log_from, root_log_until, root_version_from,
        root_version_until, username)
      values (${staged}, ${id}, ${services.clock.now()}, ${takenAt}, ${amount}, -1, -1, -1, -1, ${username})`,
  );
  await giveRestored(services, tx, { adminId, staged, id, amount });
  await tx.query(
    sql`insert into moves (network_id, id, at, taken_at, amount, border_version, told_hash, username)
      select ${staged}, ${arrival.id}, ${arrival.at}, ${arrival.takenAt}, ${arrival.amount}, version,
        told_hash(${staged}, ${arrival.id}), ${arrival.username} from wallets where ${boundary}`,
  );
}
