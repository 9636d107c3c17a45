import { rm } from 'node:fs/promises';
import path from 'node:path';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import type { Actor } from '../../accounts/authority.ts';
import { activateMovedAdmin, reserveMovedAdmin } from '../../accounts/move/moved-admin.ts';
import { dropFence, type Fence, liftFence, raiseFence } from '../../activity/network-work/fences.ts';
import { lockNetworksExclusively, type Work } from '../../activity/network-work/network-work.ts';
import { decideMove, planMove, type PlannedMove } from '../../cells/decide-move.ts';
import { generationOf } from '../../cells/own-names.ts';
import type { OpenDirectory } from '../../cells/directory.ts';
import { createFactorVault, type FactorVault } from '../../auth/factors/factor-vault.ts';
import { resealFactors } from '../../auth/factors/check-factor.ts';
import { copyReceived } from '../../credit/across/messages.ts';
import { createSeedVault, resealSeeds, type SeedVault } from '../../draws/seed/seeds.ts';
import { COMMAND_TIMEOUTS } from '../../platform/db/connection/timeouts.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { CompleteBackup } from '../keep/backup-folders.ts';
import { problemsOf, type RestoreDependencies, until } from '../restore/audit-and-swap.ts';
import { dropStagedNetwork, reserveStagedNetwork } from '../restore/stage-network.ts';
import { concernsNetwork, setsForAdmin } from '../backup-tables.ts';
import { BACKUP_STEPS, BACKUP_TEXTS } from '../backup-texts.ts';
import { type CellMove, copyNetwork, type MovingCell, trustIn } from './cell-move.ts';
import { findReplicationFaults } from './check-replication.ts';
import { departNetwork } from './depart-network.ts';
import { moveNetwork, tryNetwork } from './move-network.ts';
import { replicatedTables, type Replication, withReplication } from './replicate-network.ts';
import { settleFences } from './settle-fences.ts';
import { USUAL_WATCH, watchCells } from './watch-cells.ts';

/** No transaction takes longer. */
const RUNNING_MS = 120_000;

export interface Moved {
  /** Undefined if only an earlier move had to be finished. */
  readonly closedMs: number | undefined;
  readonly problems: readonly string[];
}

/**
 * Uses logical replication. The network closes only between the end of the copy and its opening in the new cell; open
 * draws continue. If the move fails before the directory decides, the network reopens in its old cell; after that, in the
 * new one.
 */
export async function moveToCell(order: CellMove): Promise<Moved> {
  const { from, to, network, by } = order;
  const { adminId: admin } = network;
  for (const cell of [from, to]) await settleFences(cell.services, cell.work);
  const plan = { network: admin, moveId: from.services.newId(), from: from.directory.cell, to: to.directory.cell };
  const place = await from.directory.placeOf(admin);
  if (place?.cell === plan.to) return { closedMs: undefined, problems: [] };
  for (const cell of [from, to]) await requireFit(cell);
  // An earlier command may have died before its fence.
  if (place?.moveId && (await from.work.latest(admin))?.finishedAt !== null)
    await from.directory.cancelMove(admin, place.moveId);
  if (!(await planMove(from.directory.db, plan, await generationOf(from.services.db, admin))))
    throw new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.notMovable(network.username, plan.to) });
  try {
    return await from.work.run({ adminId: admin, kind: 'move', by }, ({ progress, signal }) => {
      const work = { progress, signal: AbortSignal.any([order.signal, signal]) };
      const cells = [from, to].map(({ directory, services: { db } }) => ({ name: directory.cell, db }));
      return watchCells(cells, work, order.watch ?? USUAL_WATCH, async (watched) => {
        const closedMs = await replicateAndMove(order, plan, watched);
        return { closedMs, problems: await problemsOf(to.parts, undefined, watched) };
      });
    });
  } catch (error) {
    await from.directory.cancelMove(admin, plan.moveId).catch(() => {});
    for (const cell of [from, to]) await settleFences(cell.services, cell.work).catch(() => {});
    throw error;
  }
}

async function replicateAndMove(order: CellMove, plan: PlannedMove, work: Work): Promise<number> {
  const { from, to, network, call } = order;
  const { adminId, username, id: networkId } = network;
  const [problem] = await problemsOf(from.parts, undefined, work);
  if (problem !== undefined) throw new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.unsound(problem) });
  await dropOldCopies(to, adminId);
  const services = { ...to.services, directory: trustingDirectory(to.directory) };
  const admin = await reserveMovedAdmin(services, call, { id: adminId, username });
  return to.work.run({ adminId, kind: 'move', by: order.by }, async (arriving) => {
    const signal = AbortSignal.any([work.signal, arriving.signal]);
    const moving = { ...order, to: { ...to, services } };
    const tried = await until(signal, () => requireTrial(moving, admin, { ...work, signal }));
    await reserveStagedNetwork(services, { adminId, rootLog: 0n, number: networkId });
    const addresses = { from: ownerAddress(from), to: ownerAddress(to) };
    const before = new Date(from.services.clock.now().getTime() - RUNNING_MS);
    try {
      work.progress(BACKUP_STEPS.replicating, 0, 0);
      return await withReplication({ ...addresses, networkId, signal, before }, (replication) =>
        until(signal, () => moveClosed(moving, { plan, admin, replication, tried }, { ...work, signal })),
      );
    } catch (error) {
      await dropStagedNetwork(to.services.db, networkId).catch(() => {});
      throw error;
    }
  });
}

async function requireFit(cell: MovingCell): Promise<void> {
  const [fault] = await findReplicationFaults(ownerAddress(cell));
  if (fault)
    throw new CallError('RULE_REFUSED', {
      message: BACKUP_TEXTS.unfitCell(cell.directory.cell, `${fault.says} ${fault.todo}`),
    });
}

function ownerAddress({ parts: { settings } }: MovingCell): string {
  return (settings.ownerConnectionString ?? settings.connectionString)();
}

interface Arrival {
  readonly plan: PlannedMove;
  readonly admin: Actor;
  readonly replication: Replication;
  /** Files that the trial loaded. */
  readonly tried: ReadonlySet<string>;
}

/**
 * Loads a backup into the new cell and audits it there, as a restore does, while the network is in use. Rows added
 * before the fence are only compared. Returns the loaded files by hash. Throws RULE_REFUSED with the first finding.
 */
async function requireTrial(order: CellMove, admin: Actor, work: Work): Promise<ReadonlySet<string>> {
  const { to, call } = order;
  const folder = path.join(order.folder, 'trial');
  try {
    const backup = await copyNetwork(order, folder, work);
    const parts = { ...to.parts, services: to.services };
    const [problem] = await tryNetwork(parts, { call, backup, renames: {}, admin, trust: trustIn(backup) }, work);
    if (problem !== undefined)
      throw new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.unsoundThere(to.directory.cell, problem) });
    return new Set(backup.manifest.files.map(({ sha256 }) => sha256));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function moveClosed(order: CellMove, arrival: Arrival, { signal, ...work }: Work): Promise<number> {
  const { from, to, network, call } = order;
  const { plan, admin } = arrival;
  const leaving = { networkId: network.id, adminId: admin.id, moveId: plan.moveId, arrives: false, cell: plan.to };
  // The exchange needs fresh statistics. Nobody waits yet.
  await to.services.db.transaction((tx) => tx.query(sql`select analyze_beside()`), COMMAND_TIMEOUTS);
  const progress: Work['progress'] = (step, done, total) => work.progress(BACKUP_STEPS.closed(step), done, total);
  const sinceMs = performance.now();
  let closedMs = 0;
  await from.services.db.transaction((tx) => raiseFence(tx, leaving, from.services.clock.now()), COMMAND_TIMEOUTS);
  const [backup] = await together(
    copyNetwork(order, order.folder, { signal, progress }, replicatedTables()),
    arrival.replication.complete(),
  );
  await dropFence(to.services.db, network.id);
  const fence = await arrive(order, arrival, backup, { signal, progress });
  if (await isActive(from.services.db, admin.id)) await activateMovedAdmin(to.services, call, admin);
  await from.services.db.transaction(async (tx) => {
    await lockNetworksExclusively(tx, [ROOT_NETWORK, network.id]);
    await requireUnchanged(tx, order, backup);
    signal.throwIfAborted();
    if (!(await decideMove(from.directory.db, plan)))
      throw new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.moveEnded(network.username) });
    await to.services.db.transaction((there) => liftFence(there, fence, to.services.clock.now()));
    closedMs = performance.now() - sinceMs;
    await departNetwork(from.services, tx, leaving);
  }, COMMAND_TIMEOUTS);
  return closedMs;
}

/** Waits for both, even if one fails: both use connections that end afterwards. */
async function together<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

/**
 * Exchanges the network as an import does. It stays fenced. It is not audited here: the old
 * cell and a trial copy were audited before, the rows are compared, and the new cell is audited afterwards.
 */
async function arrive(
  { from, to, network, call }: CellMove,
  { plan, admin, tried }: Arrival,
  backup: CompleteBackup,
  work: Work,
): Promise<Fence> {
  let fence: Fence | undefined;
  const parts: RestoreDependencies = {
    ...to.parts,
    services: to.services,
    audit: () => Promise.resolve([]),
    voidUnfinished: async (networkId) => {
      const keys = [from.seedKey, to.seedKey] as const;
      const [seedsThere, seedsHere] = keys.map(createSeedVault) as [SeedVault, SeedVault];
      await resealSeeds(to.services.db, networkId, seedsThere, seedsHere);
      const [factorsThere, factorsHere] = keys.map(createFactorVault) as [FactorVault, FactorVault];
      await resealFactors(to.services.db, networkId, factorsThere, factorsHere);
      const arriving = { networkId, adminId: admin.id, moveId: plan.moveId, arrives: true, cell: plan.from };
      fence = arriving;
      return {
        count: 0,
        async publish(tx) {
          await copyReceived(from.services.db, tx, admin.id);
          await raiseFence(tx, arriving, to.services.clock.now());
        },
      };
    },
  };
  const replicated = {
    number: network.id,
    moveId: plan.moveId,
    from: plan.from,
    tables: replicatedTables(),
    tried,
  };
  await moveNetwork(parts, { call, backup, renames: {}, admin, trust: trustIn(backup), replicated }, work);
  return fence!;
}

/** Until the move is decided, the directory lists the network's names for its old cell. */
function trustingDirectory(directory: OpenDirectory): OpenDirectory {
  return {
    ...directory,
    cellOf: () => Promise.resolve(undefined),
    reserve: (_network, values) => Promise.resolve(new Set(values)),
  };
}

/** An undo of a restore would bring earlier copies back. */
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
