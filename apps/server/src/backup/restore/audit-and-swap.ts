import { updateStagedAccounts, type UpdateCounts } from '../../accounts/move/update-staged-accounts.ts';
import { renameConflicts } from '../../accounts/move/staged-accounts.ts';
import { connect, type Database, type Tx } from '../../platform/db/database.ts';
import { COMMAND_TIMEOUTS } from '../../platform/db/connection/timeouts.ts';
import { keepGames } from '../../games/catalogue/copy-games.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { sumStagedDays } from '../../liability/sum-days.ts';
import type { ClosingWork, Work } from '../../activity/network-work/network-work.ts';
import { updateStagedLogins } from '../../auth/logins/staged-logins.ts';
import { keepFactors } from '../../auth/factors/factors.sql.ts';
import { updateStagedApprovals } from '../../approvals/approvals.sql.ts';
import { updateStagedApiKeys } from '../../api-keys/api-keys.sql.ts';
import { keepProtection } from '../../protection/protection.sql.ts';
import { keepEndedOrders } from '../../standing-orders/standing-orders.sql.ts';
import { keepWeeks } from '../../weeks/keep-weeks-on-restore.ts';
import type { Services } from '../../platform/services.ts';
import type { ForeignStaging } from '../move/stage-foreign-network.ts';
import { BackupDamaged } from '../take/archive/manifest.ts';
import type { CompleteBackup } from '../keep/backup-folders.ts';
import { dropStagedNetwork, stageNetwork } from './stage-network.ts';
import { requireLocal } from './require-restorable.ts';
import { withMigratedBackup } from './migrate-backup.ts';
import { reconcile, readGameChangesAtRoot, type Exchange } from './reconcile-with-root.ts';
import { BackupRefused, REAL_DISK, requireDatabaseSpace, type Disk } from '../keep/disk-space.ts';
import { exchangeNetworks, openStagedGames, type ExchangeLog, type KeepWallKey } from './exchange-networks.ts';
import { arrivalSince, arriveAgain } from '../move/arrive-again.ts';
import { recordMove } from '../move/moved-credit.ts';
import { writeTombstones } from './write-tombstones.ts';
import type { BackupSettings } from '../take/own-backups.ts';
import type { RestoringCall } from './restoring.ts';
import { signerDetail } from '../take/archive/sign-manifest.ts';
import { hasOpenTickets } from '../../tickets/tickets.sql.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { BACKUP_TEXTS, BACKUP_STEPS, DAMAGE } from '../backup-texts.ts';

const AUDIT_CONNECTIONS = 2;

interface AuditedPart {
  readonly problems: readonly string[];
}

export interface RestoreDependencies {
  readonly services: Services;
  readonly settings: BackupSettings;
  readonly beacons?: readonly string[];
  readonly disk?: Disk | undefined;
  /** The exchange publishes the seeds of voided draws. */
  readonly voidUnfinished: (
    networkId: number,
    signal: AbortSignal,
  ) => Promise<{ readonly count: number; readonly publish: (tx: Tx) => Promise<void> }>;
  readonly keepWallKey: KeepWallKey;
  readonly audit: (
    db: Pick<Database, 'snapshot' | 'snapshots'>,
    connections: number,
    trial?: { readonly staged: number; readonly replaces: number },
  ) => Promise<readonly AuditedPart[]>;
}

interface Prepared {
  readonly voided: number;
  readonly kept: UpdateCounts;
}

export interface ProvedExchange {
  readonly call: RestoringCall;
  readonly exchange: Exchange;
  readonly renames: Readonly<Record<string, string>>;
  readonly what: string;
}

export async function auditAndSwap(
  parts: RestoreDependencies,
  { call, exchange, renames, what }: ProvedExchange,
  work: Work & Partial<ClosingWork>,
  told: ExchangeLog,
): Promise<Prepared> {
  const { services } = parts;
  const prepared = await prepare(parts, exchange, renames, work);
  const [problem] = await problemsOf(parts, exchange, work);
  if (problem !== undefined) throw refusal(new BackupDamaged(DAMAGE.failedAudit(what, problem)));
  work.progress(BACKUP_STEPS.exchanging, 0, 0);
  await services.db.transaction(async (tx) => {
    work.signal.throwIfAborted();
    await exchangeNetworks(services, tx, exchange, { call, told, keepWallKey: parts.keepWallKey });
    // Must run under all locks: changes after the safety backup would be lost.
    await work.requireClosed?.(tx);
    await prepared.publish(tx);
  }, COMMAND_TIMEOUTS);
  return prepared;
}

export function voidedNotes(voided: number): string[] {
  if (voided === 0) return [];
  return [BACKUP_TEXTS.voided(voided)];
}

export interface ExchangeOrder {
  readonly call: RestoringCall;
  readonly backup: CompleteBackup;
  readonly work: Work;
  readonly moving?: ForeignStaging;
}

export async function withStagedNetwork<T>(
  parts: RestoreDependencies,
  { call, backup, work, moving }: ExchangeOrder,
  act: (exchange: Exchange) => Promise<T>,
): Promise<T> {
  const { services, settings, disk = REAL_DISK } = parts;
  const { id: adminId, networkId: live, username } = call.actor;
  const { manifest } = backup;
  const connectionString = settings.connectionString();
  const arrival = moving ? undefined : await arrivalSince(services.db, manifest, { adminId, live });
  // As for a move, the root's rows about the network come from the backup.
  if (arrival) await requireLocal({ services, backup, adminId }).catch(toRefusal);
  const returning = arrival && {
    id: arrival.firstId,
    superadmin: call.actor.chain[0]!,
    addGames: () => Promise.resolve(),
  };
  const number = await withMigratedBackup({ settings, disk, backup, work }, (current) =>
    stageNetwork({
      services,
      connectionString,
      key: settings.key,
      backup: current,
      adminId,
      work,
      moving: moving ?? returning,
      isForeign: moving !== undefined || signerDetail(manifest, settings.sealKey).signedBy !== undefined,
      room: (bytes) => requireDatabaseSpace(disk, settings.databaseDir, bytes),
    }),
  ).catch(toRefusal);
  try {
    const rootLog = BigInt(manifest.rootLog.seq);
    const { takenAt, isWithoutSecrets } = manifest;
    return await act({
      adminId,
      staged: number,
      live,
      rootLog,
      takenAt: new Date(takenAt),
      username,
      approval: call.guard?.approval,
      isWithoutSecrets,
      arrival,
    });
  } catch (error) {
    await dropStagedNetwork(services.db, number).catch(() => {});
    throw error;
  }
}

export async function prepare(
  { services, voidUnfinished }: RestoreDependencies,
  exchange: Exchange,
  renames: Readonly<Record<string, string>>,
  work: Work,
  names: { readonly renames: 'given' | 'any' } = { renames: 'given' },
): Promise<Prepared & { readonly publish: (tx: Tx) => Promise<void> }> {
  work.progress(BACKUP_STEPS.refunding, 0, 0);
  await services.db.transaction((tx) => tx.query(sql`select analyze_beside()`), COMMAND_TIMEOUTS);
  const { count: voided, publish } = await voidUnfinished(exchange.staged, work.signal);
  const kept = await services.db.transaction(async (tx) => {
    const count = await updateStagedAccounts(services, tx, exchange, hasOpenTickets);
    await keepProtection(tx, exchange);
    await keepWeeks(tx, exchange);
    await keepEndedOrders(tx, exchange, services.clock.now());
    await updateStagedApiKeys(tx, exchange, services.clock.now());
    const newNames = names.renames === 'any' ? 'any' : renames;
    await updateStagedLogins(tx, exchange, services.directory, newNames);
    await keepFactors(tx, exchange);
    await updateStagedApprovals(tx, exchange, services.clock.now());
    // The admin's current name comes first.
    if (names.renames === 'given') await renameConflicts(tx, exchange, renames, services.directory);
    await keepGames(tx, exchange, await readGameChangesAtRoot(tx, exchange));
    await openStagedGames(tx, exchange.staged);
    await sumStagedDays(services, tx, exchange.staged);
    const arrived = exchange.arrival && (await arriveAgain(services, tx, exchange, exchange.arrival));
    await (exchange.moveId === undefined
      ? reconcile(services, tx, exchange, arrived)
      : recordMove(services, tx, exchange));
    // A trial undoes nothing, and a moved network replaces an empty one.
    if (names.renames === 'given' && exchange.moveId === undefined) await writeTombstones(services, tx, exchange);
    return count;
  }, COMMAND_TIMEOUTS);
  return { voided, kept, publish };
}

/** Audits as if the staged network were live. Without exchange, audits everything. */
export async function problemsOf(
  { settings, audit }: Pick<RestoreDependencies, 'settings' | 'audit'>,
  exchange: Pick<Exchange, 'staged' | 'live'> | undefined,
  work: Work,
): Promise<readonly string[]> {
  work.progress('Auditing', 0, 0);
  const db = connect(settings.connectionString, {
    onError: () => {},
    poolSize: AUDIT_CONNECTIONS,
    patience: COMMAND_TIMEOUTS,
    readOnly: true,
    isLowPriority: true,
  });
  try {
    const trial = exchange && { staged: exchange.staged, replaces: exchange.live };
    const found = await until(work.signal, () => audit(db, AUDIT_CONNECTIONS, trial));
    const problems = found.flatMap((part) => part.problems);
    if (problems.length === 0 || !trial) return problems;
    const now = await until(work.signal, () => audit(db, AUDIT_CONNECTIONS));
    const present = new Set(now.flatMap((part) => part.problems));
    return problems.filter((problem) => !present.has(problem));
  } finally {
    await db.close();
  }
}

/** The work itself continues. */
export function until<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', stop);
  const done = act();
  done.catch(() => {});
  return Promise.race([done, promise]).finally(() => signal.removeEventListener('abort', stop));
}

function refusal(why: BackupDamaged): CallError {
  const error = new CallError('RULE_REFUSED', {
    message: BACKUP_TEXTS.refused(why.message),
  });
  error.cause = why;
  return error;
}

/** Converts reasons against restoring. */
export function toRefusal(error: unknown): never {
  if (error instanceof BackupRefused)
    throw new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.nothingChanged(error.message) });
  throw error instanceof BackupDamaged ? refusal(error) : error;
}
