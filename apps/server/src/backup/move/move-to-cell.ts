import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import type { Actor } from '../../accounts/authority.ts';
import { activateMovedAdmin, reserveMovedAdmin } from '../../accounts/move/moved-admin.ts';
import { liftFence, raiseFence } from '../../activity/network-work/fences.ts';
import type { Fence } from '../../activity/network-work/fences.ts';
import { lockNetworksExclusively } from '../../activity/network-work/network-work.ts';
import type { NetworkWork, Work } from '../../activity/network-work/network-work.ts';
import { decideMove, planMove } from '../../cells/decide-move.ts';
import type { PlannedMove } from '../../cells/decide-move.ts';
import type { OpenDirectory } from '../../cells/directory.ts';
import { resealSeeds } from '../../draws/seed/reseal-seeds.ts';
import type { SeedVault } from '../../draws/seed/seeds.ts';
import { COMMAND_TIMEOUTS } from '../../platform/db/connection/timeouts.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Services } from '../../platform/services.ts';
import { findBackup } from '../keep/backup-folders.ts';
import type { CompleteBackup } from '../keep/backup-folders.ts';
import type { RestoreDependencies } from '../restore/audit-and-swap.ts';
import type { RestoringCall } from '../restore/restoring.ts';
import { dropStagedNetwork } from '../restore/stage-network.ts';
import { backUpNetwork } from '../take/back-up-network.ts';
import { concernsNetwork, setsForAdmin } from '../backup-tables.ts';
import { BACKUP_TEXTS } from '../backup-texts.ts';
import { departNetwork } from './depart-network.ts';
import { moveNetwork } from './move-network.ts';
import { settleFences } from './settle-fences.ts';

/** One side of a move. */
export interface MovingCell {
  readonly services: Services;
  readonly directory: OpenDirectory;
  readonly work: NetworkWork;
  readonly parts: RestoreDependencies;
  readonly vault: SeedVault;
}

export interface CellMove {
  readonly from: MovingCell;
  readonly to: MovingCell;
  readonly network: { readonly id: number; readonly adminId: string; readonly username: string };
  /** By the superadmin who gets the network. */
  readonly call: RestoringCall;
  readonly by: string;
  /** For the rows on their way, which are readable. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/**
 * Moves a network to another cell. It is closed from its copy until it is open there; open draws go on. If the move
 * fails before the directory has decided, the network opens again where it was; after that, in the other cell. Returns
 * how long it was closed, undefined if an earlier move had only to be finished.
 */
export async function moveToCell(order: CellMove): Promise<{ readonly closedMs: number | undefined }> {
  const { from, to, network, by } = order;
  const { adminId: admin, id: networkId } = network;
  for (const cell of [from, to]) await settleFences(cell.services, cell.work);
  const plan = { network: admin, moveId: from.services.newId(), from: from.directory.cell, to: to.directory.cell };
  const place = await from.directory.placeOf(admin);
  if (place?.cell === plan.to) return { closedMs: undefined };
  // An earlier command may have died before its fence.
  if (place?.moveId && (await from.work.latest(admin))?.finishedAt !== null)
    await from.directory.cancelMove(admin, place.moveId);
  if (!(await planMove(from.directory.db, plan)))
    throw new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.notMovable(network.username, plan.to) });
  try {
    const closedMs = await from.work.run({ adminId: admin, kind: 'move', by, closes: networkId }, (work) =>
      moveClosed(order, plan, { ...work, signal: AbortSignal.any([order.signal, work.signal]) }),
    );
    return { closedMs };
  } catch (error) {
    await from.directory.cancelMove(admin, plan.moveId).catch(() => {});
    for (const cell of [from, to]) await settleFences(cell.services, cell.work).catch(() => {});
    throw error;
  }
}

async function moveClosed(order: CellMove, plan: PlannedMove, work: Work): Promise<number> {
  const sinceMs = performance.now();
  const { from, to, network, call } = order;
  const { adminId } = network;
  const leaving = { networkId: network.id, adminId, moveId: plan.moveId, arrives: false, cell: plan.to };
  await from.services.db.transaction((tx) => raiseFence(tx, leaving, from.services.clock.now()), COMMAND_TIMEOUTS);
  const backup = await copyNetwork(order, work);
  await dropOldCopies(to, adminId);
  const services = { ...to.services, directory: trustingDirectory(to.directory) };
  const { username } = network;
  const admin = await reserveMovedAdmin(services, call, { id: adminId, username });
  return to.work.run({ adminId, kind: 'move', by: order.by }, async (arriving) => {
    let closedMs = 0;
    const both = { progress: work.progress, signal: AbortSignal.any([work.signal, arriving.signal]) };
    const fence = await arrive({ ...order, to: { ...to, services } }, { plan, backup, admin }, both);
    if (await isActive(from.services.db, adminId)) await activateMovedAdmin(services, call, admin);
    await from.services.db.transaction(async (tx) => {
      await lockNetworksExclusively(tx, [ROOT_NETWORK, network.id]);
      await requireUnchanged(tx, order, backup);
      both.signal.throwIfAborted();
      if (!(await decideMove(from.directory.db, plan)))
        throw new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.moveEnded(username) });
      await to.services.db.transaction((there) => liftFence(there, fence, to.services.clock.now()));
      closedMs = performance.now() - sinceMs;
      await departNetwork(from.services, tx, leaving);
    }, COMMAND_TIMEOUTS);
    return closedMs;
  });
}

async function copyNetwork(
  { from, network, by, folder }: CellMove,
  { signal, progress }: Work,
): Promise<CompleteBackup> {
  const { settings } = from.parts;
  // Never encrypted: the server may have only the public half of the key.
  const place = { ...settings, dir: folder, key: undefined };
  const admin = { id: network.adminId, networkId: network.id };
  const { name } = await backUpNetwork(from.services, place, { admin, by, signal, progress });
  return (await findBackup(folder, network.adminId, name)) as CompleteBackup;
}

interface Arrival {
  readonly plan: PlannedMove;
  readonly backup: CompleteBackup;
  readonly admin: Actor;
}

/** Stages, audits and exchanges the network as an import does. It stays fenced. */
async function arrive({ from, to, call }: CellMove, { plan, backup, admin }: Arrival, work: Work): Promise<Fence> {
  let fence: Fence | undefined;
  const parts: RestoreDependencies = {
    ...to.parts,
    services: to.services,
    voidUnfinished: async (networkId) => {
      await resealSeeds(to.services.db, networkId, from.vault, to.vault);
      const arriving = { networkId, adminId: admin.id, moveId: plan.moveId, arrives: true, cell: plan.from };
      fence = arriving;
      return { count: 0, publish: (tx) => raiseFence(tx, arriving, to.services.clock.now()) };
    },
  };
  const { signature } = backup.manifest;
  const trust = { keys: signature ? [signature.key] : [], unsigned: signature === null };
  await moveNetwork(parts, { call, backup, renames: {}, admin, trust }, work);
  return fence!;
}

/** The directory lists all names of the network for its old cell until the move is decided. */
function trustingDirectory(directory: OpenDirectory): OpenDirectory {
  return {
    ...directory,
    cellOf: () => Promise.resolve(undefined),
    reserve: (_network, values) => Promise.resolve(new Set(values)),
  };
}

/** Copies from earlier stays, which an undo of a restore would bring back. */
async function dropOldCopies({ services: { db } }: MovingCell, adminId: string): Promise<void> {
  const copies = await db.query<{ id: number }>(sql`select id from staged_networks where of_admin = ${adminId}`);
  for (const { id } of copies) await dropStagedNetwork(db, id);
}

async function isActive(on: Queryable, adminId: string): Promise<boolean> {
  const [admin] = await on.query<{ active: boolean }>(sql`select active from accounts where id = ${adminId}`);
  return admin?.active === true;
}

/** Superadmins may change an admin while its network is closed. The copy would lack that. */
async function requireUnchanged(tx: Tx, { network }: CellMove, { manifest }: CompleteBackup): Promise<void> {
  const changes = await tx.query(
    sql`select from activity l where l.network_id = ${ROOT_NETWORK} and l.seq > ${BigInt(manifest.rootLog.seq)}
      and (${concernsNetwork(sql`${network.id}`)} or ${setsForAdmin(sql`${network.adminId}::text`)}) limit 1`,
  );
  if (changes.length > 0)
    throw new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.changedMeanwhile(network.username) });
}
