import type { Logger } from 'pino';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { liftFence, raiseFence, readFences, type Fence } from '../../activity/network-work/fences.ts';
import { lockNetworksExclusively, type NetworkWork } from '../../activity/network-work/network-work.ts';
import { COMMAND_TIMEOUTS } from '../../platform/db/connection/timeouts.ts';
import { newTimeline, noteTimeline } from '../../platform/settings/pinned-settings.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Directory, Services } from '../../platform/services.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { generationOf } from '../../cells/own-names.ts';
import { departNetwork } from './depart-network.ts';
import { returnNetwork } from './return-network.ts';

/** The network's number follows. */
const PREFIX = 'drawhouse_move_';

/** Ends moves whose command died: the network opens in the cell that the directory names. */
export async function settleFences(services: Services, work: NetworkWork): Promise<void> {
  const { db, directory } = services;
  if (!directory) return;
  await endReplications(db, work);
  const silent = new Map<string, Promise<readonly string[]>>();
  const silentCells = (question: string): Promise<readonly string[]> => {
    const asked = silent.get(question) ?? directory.silentCells(question);
    silent.set(question, asked);
    return asked;
  };
  for (const fence of await readFences(db)) {
    if ((await work.latest(fence.adminId))?.finishedAt === null) continue;
    const cell = await placeOf(db, { ...directory, silentCells }, fence);
    if (cell === directory.cell) await db.transaction((tx) => openNetwork(services, tx, fence), COMMAND_TIMEOUTS);
    else if (cell !== undefined)
      await db.transaction((tx) => departNetwork(services, tx, { ...fence, cell }), COMMAND_TIMEOUTS);
  }
  await directory.answer(db).catch((error: unknown) => {
    // The directory may be down; the next pass retries.
    if (!(error instanceof CallError)) throw error;
  });
}

/** Another process may have settled the fence. */
export async function openNetwork(services: Services, tx: Tx, fence: Fence): Promise<void> {
  const { networkId, moveId } = fence;
  await lockNetworksExclusively(tx, [ROOT_NETWORK, networkId]);
  const fenced = await tx.query(sql`select from fences where network_id = ${networkId} and move_id = ${moveId}`);
  if (fenced.length === 0) return;
  if (fence.arrives) await returnNetwork(services, tx, fence);
  await liftFence(tx, fence, services.clock.now());
}

/** The network's cell. Undefined while that is undecided. */
async function placeOf(db: Queryable, directory: Directory, fence: Fence): Promise<string | undefined> {
  const { adminId, moveId, arrives } = fence;
  if (isHeld(directory, fence) && (await directory.silentCells(moveId)).length > 0) return undefined;
  const place = await directory.placeOf(adminId);
  if (!place) return undefined;
  const isUndecided = place.moveId === moveId;
  if (place.cell === directory.cell) {
    // Only this ends the move for sure: its command may still be alive and decide.
    if (isUndecided && !(await directory.cancelMove(adminId, moveId))) return undefined;
    return place.cell;
  }
  if (!arrives && place.generation < (await generationOf(db, adminId))) {
    // The directory was restored to a moment before the network came. It may have left since.
    if ((await directory.silentCells(moveId)).length > 0) return undefined;
    await directory.enter(db);
    return (await directory.placeOf(adminId))?.cell;
  }
  return arrives && isUndecided ? undefined : place.cell;
}

/** Closed until all other cells have reported their generations. */
const isHeld = ({ cell }: Directory, fence: Fence): boolean => fence.cell === cell;

/**
 * Closes all networks until every other cell has named its networks. After a restore of this cell, perhaps with the
 * directory, some may have moved to another cell.
 */
export async function holdNetworks({ db, clock, newId, directory }: HoldingCell): Promise<void> {
  const moveId = newId();
  await db.transaction(async (tx) => {
    const networks = await tx.query<{ networkId: number; adminId: string }>(
      sql`select id as "networkId", admin_id as "adminId" from networks where id <> ${ROOT_NETWORK} and not arrives
        and id not in (select network_id from fences) order by id ${sql.raw(crossNetworkComment('cells'))}`,
    );
    for (const network of networks)
      await raiseFence(tx, { ...network, moveId, arrives: false, cell: directory.cell }, clock.now());
  }, COMMAND_TIMEOUTS);
}

/** The first timeline is that of a new cell. */
const FIRST_TIMELINE = '00000001';

export async function holdAfterRecovery(cell: HoldingCell, logger: Pick<Logger, 'warn'>): Promise<void> {
  const timeline = await newTimeline(cell.db);
  if (timeline === undefined) return;
  if (timeline !== FIRST_TIMELINE) {
    await holdNetworks(cell);
    logger.warn(
      'the database was put back to an earlier moment, or a standby took over: the networks open when all other cells ' +
        'have told theirs. If one is gone for good, run npm run group -- open',
    );
  }
  await noteTimeline(cell.db, timeline);
}

type HoldingCell = Pick<Services, 'db' | 'clock' | 'newId'> & { readonly directory: Directory };

/** Opens held networks without the answers of all cells. Returns the cells that were silent. */
export async function openHeld({ db, clock, directory }: Omit<HoldingCell, 'newId'>): Promise<readonly string[]> {
  const held = (await readFences(db)).filter((fence) => isHeld(directory, fence));
  const silent = held[0] ? await directory.silentCells(held[0].moveId) : [];
  for (const fence of held) await db.transaction((tx) => liftFence(tx, fence, clock.now()));
  return silent;
}

async function endReplications(db: Queryable, work: NetworkWork): Promise<void> {
  const left = await db.query<{ name: string; admin: string | null }>(
    sql`select m.name, coalesce((select admin_id from networks where id = m.number),
        (select of_admin from staged_networks where id = m.number)) as admin
      from (select name, substr(name, ${PREFIX.length + 1})::int as number from (
        select subname::text as name from pg_subscription where subdbid = (select oid from pg_database where datname = current_database())
        union select pubname from pg_publication
        union select slot_name from pg_replication_slots where database = current_database() and not active) as named
        where name ~ ${`^${PREFIX}[0-9]+$`}) as m`.named('replications'),
  );
  for (const { name, admin } of left)
    if (admin === null || (await work.latest(admin))?.finishedAt !== null)
      await db.query(sql`select end_replication(${name})`);
}

/**
 * Fences networks that the directory places elsewhere, as after a restore of this cell to a moment before a move. They
 * leave with the next settlement. Corrects a directory that was restored to an earlier moment.
 */
export async function fenceOutdated(services: Services): Promise<void> {
  const { db, directory, clock, newId } = services;
  if (!directory) return;
  const networks = await db.query<{ id: number; admin: string }>(
    sql`select id, admin_id as admin from networks where id <> ${ROOT_NETWORK} and not arrives
      and id not in (select network_id from fences) ${sql.raw(crossNetworkComment('cells'))}`,
  );
  const places = await directory.elsewhere(networks.map(({ admin }) => admin));
  let isOutdated = false;
  for (const { network: adminId, cell, generation } of places) {
    if (generation < (await generationOf(db, adminId))) {
      isOutdated = true;
      continue;
    }
    const networkId = networks.find(({ admin }) => admin === adminId)!.id;
    const fence = { networkId, adminId, moveId: newId(), arrives: false, cell };
    await db.transaction((tx) => raiseFence(tx, fence, clock.now()), COMMAND_TIMEOUTS);
  }
  if (isOutdated) await directory.enter(db);
}
