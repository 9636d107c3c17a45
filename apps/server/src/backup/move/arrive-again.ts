import { ROOT_NETWORK, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import type { Services } from '../../platform/services.ts';
import type { Compensation, Exchange, LastArrival } from '../restore/reconcile-with-root.ts';
import type { Manifest } from '../take/archive/manifest.ts';

// A network that left for another cell and came back has moves, which a backup from before lacks. Its departure hid the
// root's rows about it, which are part of the backup. So the restored network makes the same moves: the first brings the
// rows of the backup, and the last brings the credit.

/**
 * The moves of the live network, if it has left this cell since the backup. Its departure may be unlike any move: a held
 * or outdated network leaves under an id of its own.
 */
export async function arrivalSince(
  on: Queryable,
  { files, rootLog }: Pick<Manifest, 'files' | 'rootLog'>,
  { adminId, live }: Pick<Exchange, 'adminId' | 'live'>,
): Promise<LastArrival | undefined> {
  const earlier = files.filter(({ table }) => table === 'moves').reduce((sum, { rows }) => sum + rows, 0);
  const [arrival] = await on.query<LastArrival & Record<string, unknown>>(
    sql`select m.id, m.amount, f.id as "firstId" from (
        select id, amount from moves where network_id = ${live} order by border_version desc, at desc limit 1
      ) as m cross join (
        select id from moves where network_id = ${live} order by border_version, at limit 1 offset ${earlier}
      ) as f where exists (select from activity where network_id = ${ROOT_NETWORK}
        and seq > ${rootLog.seq}::bigint and detail -> 'departed' ->> 'adminId' = ${adminId}::text)`,
  );
  return arrival;
}

/** Runs before the restore is reconciled with the root, for which versions and log positions are unknown: below 0. */
export async function arriveAgain(
  services: Services,
  tx: Tx,
  { adminId, live, staged, takenAt, username }: Exchange,
  arrival: LastArrival,
): Promise<Compensation> {
  const boundary = sql`network_id = ${staged} and owner_id = ${adminId} and kind = ${sql.lit(WALLET_KINDS.boundary)}`;
  const [own] = await tx.query<{ amount: bigint; version: bigint }>(
    sql`select -balance as amount, version from wallets where ${boundary}`,
  );
  const id = services.newId();
  const amount = arrival.amount - own!.amount;
  await tx.query(
    sql`insert into restores (network_id, id, at, taken_at, amount, root_log_from, root_log_until, root_version_from,
        root_version_until, username)
      values (${staged}, ${id}, ${services.clock.now()}, ${takenAt}, ${amount}, -1, -1, -1, -1, ${username})`,
  );
  // All of them: their number is the network's generation.
  await tx.query(
    sql`insert into moves (network_id, id, at, taken_at, amount, border_version, told_hash, username)
      select ${staged}, id, at, taken_at, amount, ${own!.version + (amount === 0n ? 0n : 1n)}, told_hash(${staged}, id), username
      from moves where network_id = ${live} and id not in (select id from moves where network_id = ${staged})`,
  );
  return { id, amount };
}
