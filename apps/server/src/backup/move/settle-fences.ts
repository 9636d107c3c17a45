import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { liftFence, raiseFence, readFences } from '../../activity/network-work/fences.ts';
import type { Fence } from '../../activity/network-work/fences.ts';
import type { NetworkWork } from '../../activity/network-work/network-work.ts';
import { COMMAND_TIMEOUTS } from '../../platform/db/connection/timeouts.ts';
import type { Directory, Services } from '../../platform/services.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { departNetwork } from './depart-network.ts';

/** The network's number follows. */
const PREFIX = 'drawhouse_move_';

/** Ends moves whose command died: the network opens in the cell that the directory names. */
export async function settleFences(services: Services, work: NetworkWork): Promise<void> {
  const { db, directory } = services;
  if (!directory) return;
  await endReplications(db, work);
  for (const fence of await readFences(db)) {
    if ((await work.latest(fence.adminId))?.finishedAt === null) continue;
    const outcome = await outcomeOf(directory, fence);
    if (outcome === 'open') await db.transaction((tx) => liftFence(tx, fence, services.clock.now()));
    if (outcome === 'leave') await db.transaction((tx) => departNetwork(services, tx, fence), COMMAND_TIMEOUTS);
  }
}

async function outcomeOf(
  directory: Directory,
  { adminId, moveId, arrives }: Fence,
): Promise<'open' | 'leave' | 'wait'> {
  const place = await directory.placeOf(adminId);
  if (!place) return 'wait';
  const isUndecided = place.moveId === moveId;
  if (place.cell === directory.cell) {
    // The command may still be alive and decide; only this stops it.
    if (isUndecided && !(await directory.cancelMove(adminId, moveId))) return 'wait';
    return 'open';
  }
  return arrives && isUndecided ? 'wait' : 'leave';
}

/** Without its command, a replication would fill a staged network, or the disk, forever. */
async function endReplications(db: Queryable, work: NetworkWork): Promise<void> {
  const left = await db.query<{ name: string; admin: string | null }>(
    sql`select m.name, coalesce((select admin_id from networks where id = m.number),
        (select of_admin from staged_networks where id = m.number)) as admin
      from (select name, substr(name, ${PREFIX.length + 1})::int as number from (
        select subname::text as name from pg_subscription where subdbid = (select oid from pg_database where datname = current_database())
        union select pubname from pg_publication) as named
        where name ~ ${`^${PREFIX}[0-9]+$`}) as m`.named('replications'),
  );
  for (const { name, admin } of left)
    if (admin === null || (await work.latest(admin))?.finishedAt !== null)
      await db.query(sql`select end_replication(${name})`);
}

/**
 * Fences networks that the directory places elsewhere, as when this cell was restored to a moment before a move. They
 * leave with the next settlement.
 */
export async function fenceOutdated(services: Services): Promise<void> {
  const { db, directory, clock, newId } = services;
  if (!directory) return;
  const networks = await db.query<{ id: number; admin: string }>(
    sql`select id, admin_id as admin from networks where id <> ${ROOT_NETWORK} and not arrives
      and id not in (select network_id from fences) ${sql.raw(crossNetworkComment('cells'))}`,
  );
  for (const { network: adminId, cell } of await directory.elsewhere(networks.map(({ admin }) => admin))) {
    const networkId = networks.find(({ admin }) => admin === adminId)!.id;
    const fence = { networkId, adminId, moveId: newId(), arrives: false, cell };
    await db.transaction((tx) => raiseFence(tx, fence, clock.now()), COMMAND_TIMEOUTS);
  }
}
