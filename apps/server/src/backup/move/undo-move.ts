import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { raiseFence, type Fence } from '../../activity/network-work/fences.ts';
import { decideMove, planMove } from '../../cells/decide-move.ts';
import { generationOf } from '../../cells/own-names.ts';
import { TABLE_OWNERS } from '../../config/tables/table-owners.ts';
import { COMMAND_TIMEOUTS } from '../../platform/db/connection/timeouts.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { concernsNetwork, copiedNames, setsForAdmin } from '../backup-tables.ts';
import { BACKUP_TEXTS } from '../backup-texts.ts';
import { STAGED_LIFETIME_MS } from '../restore/stage-network.ts';
import type { CellMove } from './cell-move.ts';
import { departNetwork } from './depart-network.ts';
import { lastDeparture } from './return-network.ts';
import { openNetwork, settleFences } from './settle-fences.ts';

/** The sweep of old copies may be at work. */
const MARGIN_MS = 60_000;

export type UndoneMove = Pick<CellMove, 'from' | 'to' | 'network' | 'by'>;

/**
 * Sends a network back to the cell that it has left, from the copy there. Both cells judge: the copy must be of the last
 * move, and the network's cell must have committed nothing since. The directory decides as for a move, and a crash
 * at any point leaves the network in one cell. Returns false if it is already back.
 */
export async function undoMove({ from, to, network, by }: UndoneMove): Promise<boolean> {
  const { adminId, id: networkId } = network;
  for (const cell of [from, to]) await settleFences(cell.services, cell.work);
  const plan = { network: adminId, moveId: from.services.newId(), from: from.directory.cell, to: to.directory.cell };
  if ((await from.directory.placeOf(adminId))?.cell === plan.to) return false;
  if (!(await planMove(from.directory.db, plan, await generationOf(from.services.db, adminId))))
    throw new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.notMovable(network.username, plan.to) });
  const leaving = { networkId, adminId, moveId: plan.moveId, arrives: false, cell: plan.to };
  const returning = { ...leaving, arrives: true, cell: plan.from };
  try {
    await from.work.run({ adminId, kind: 'move', by }, async () => {
      await from.services.db.transaction((tx) => raiseFence(tx, leaving, from.services.clock.now()), COMMAND_TIMEOUTS);
      const expecting = (tx: Tx): Promise<Left> => expectReturn(tx, to, returning, network.username);
      const left = await to.services.db.transaction(expecting, COMMAND_TIMEOUTS);
      await requireUntouched(from.services.db, network, left);
      if (!(await decideMove(from.directory.db, plan)))
        throw new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.moveEnded(network.username) });
      await to.services.db.transaction((tx) => openNetwork(to.services, tx, returning), COMMAND_TIMEOUTS);
      await from.services.db.transaction((tx) => departNetwork(from.services, tx, leaving), COMMAND_TIMEOUTS);
    });
  } catch (error) {
    await from.directory.cancelMove(adminId, plan.moveId).catch(() => {});
    for (const cell of [from, to]) await settleFences(cell.services, cell.work).catch(() => {});
    throw error;
  }
  return true;
}

interface Left {
  readonly moveId: string;
  readonly wasActive: boolean;
}

/** The fence keeps the copy, and tells the servers what to do if this command dies. */
async function expectReturn(tx: Tx, { services }: CellMove['to'], fence: Fence, username: string): Promise<Left> {
  const at = services.clock.now();
  const left = await lastDeparture(tx, fence, at);
  if (!left || left.since.getTime() < at.getTime() - STAGED_LIFETIME_MS + MARGIN_MS)
    throw new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.noCopyLeft(username) });
  await raiseFence(tx, fence, at);
  const [admin] = await tx.query<{ active: boolean }>(
    sql`select active from staged_accounts where network_id = ${fence.networkId} and id = ${fence.adminId}`,
  );
  return { moveId: left.moveId, wasActive: admin!.active };
}

/**
 * Throws RULE_REFUSED if the network is not as its last move brought it. Commands add rows to a log, others change rows
 * of the network; a row's transaction tells whether it is later than the arrival.
 */
async function requireUntouched(
  on: Queryable,
  { id, adminId, username }: CellMove['network'],
  left: Left,
): Promise<void> {
  const changed = (what: string): CallError =>
    new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.changedSince(username, what) });
  const [arrival] = await on.query<{ moveId: string; rootSeq: bigint; isLast: boolean; active: boolean; xid: string }>(
    sql`select m.id as "moveId", r.seq as "rootSeq", l.seq = h.seq as "isLast", a.active, l.xmin::text as xid
      from (select id from moves where network_id = ${id} order by border_version desc, at desc limit 1) as m
      join activity l on l.network_id = ${id} and l.detail -> 'moved' ->> 'id' = m.id::text
        and not l.detail ? 'restoredFrom'
      join activity r on r.network_id = ${ROOT_NETWORK} and r.detail -> 'moved' ->> 'id' = m.id::text
        and not r.detail ? 'restoredFrom'
      join activity_heads h on h.network_id = ${id} join accounts a on a.id = ${adminId}`,
  );
  if (arrival?.moveId !== left.moveId)
    throw new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.noCopyLeft(username) });
  if (!arrival.isLast) throw changed('activity');
  const [atRoot] = await on.query<{ subject: string }>(
    sql`select subject from activity l where l.network_id = ${ROOT_NETWORK} and l.seq > ${arrival.rootSeq}
      and (${concernsNetwork(sql`${id}`)} or ${setsForAdmin(sql`${adminId}::text`)})
      -- The move activates the admin.
      and not (l.detail -> 'active' = 'true' and l.detail ->> 'accountId' = ${adminId}::text) order by seq limit 1`,
  );
  if (atRoot || arrival.active !== left.wasActive) throw changed('accounts');
  const later = copiedNames()
    .filter((table) => table !== 'accounts' && TABLE_OWNERS[table]!.backup === undefined)
    .map(
      (table) => sql`select ${table} as name where exists (select from ${sql.raw(table)}
        where network_id = ${id} and age(xmin) < age(${arrival.xid}::xid))`,
    );
  const [table] = await on.query<{ name: string }>(later.reduce((some, next) => sql`${some} union all ${next}`));
  if (table) throw changed(table.name);
}
