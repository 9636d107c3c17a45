import path from 'node:path';
import type { BackupLosses } from '@drawhouse/contract/backup/backups';
import type { UpdateCounts } from '../../accounts/move/update-staged-accounts.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { ClosingWork, Work } from '../../activity/network-work/network-work.ts';
import { timeWords } from '../../protection/protection-texts.ts';
import { createSemaphore, type Semaphore } from '../../platform/time/semaphore.ts';
import type { Services } from '../../platform/services.ts';
import { rootExtractHash } from '../move/moved-credit.ts';
import { backUpNetwork, safetyBy } from '../take/back-up-network.ts';
import { BackupDamaged } from '../take/archive/manifest.ts';
import { foldersOf, removeBackup, type CompleteBackup } from '../keep/backup-folders.ts';
import { isOlder, withMigratedBackup } from './migrate-backup.ts';
import { dropStagedNetwork, isFromUndo, STAGED_LIFETIME_MS, lastReplaced } from './stage-network.ts';
import type { Exchange, LastArrival } from './reconcile-with-root.ts';
import { issueResetSlips, withNames } from './issue-reset-slips.ts';
import { requireOpener } from '../take/archive/encryption.ts';
import { describeLosses, readLosses } from './losses.ts';
import {
  withStagedNetwork,
  prepare,
  problemsOf,
  auditAndSwap,
  toRefusal,
  voidedNotes,
  type ExchangeOrder,
  type RestoreDependencies,
} from './audit-and-swap.ts';
import type { Restored, RestoreOrder, Restoring, RestoringCall } from './restoring.ts';
import { distrustOf, requireTrusted, signerDetail } from '../take/archive/sign-manifest.ts';
import { requireRestorable, requireLocal } from './require-restorable.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { BACKUP_TEXTS, BACKUP_STEPS, BACKUP_SUBJECTS } from '../backup-texts.ts';

export function createRestoring(parts: RestoreDependencies): Restoring {
  const { services } = parts;
  const turn = createSemaphore(1);
  return {
    losses: (call, backup, gone) => lossesOf(parts, turn, call, { backup, signal: gone }).catch(toRefusal),
    restore: (order, work) => restore(parts, order, work),
    drill: (call, backup, work) => drill(parts, call, backup, work),
    undo: (call, work) => undo(parts, call, work),
    async undoUntil({ id, networkId }) {
      const replaced = await lastReplaced(services.db, id, services.clock.now());
      if (!replaced || (await isFromUndo(services.db, networkId, replaced.since))) return undefined;
      return new Date(replaced.since.getTime() + STAGED_LIFETIME_MS);
    },
  };
}

async function lossesOf(
  { services, settings, disk }: RestoreDependencies,
  turn: Semaphore,
  { actor: { id: adminId, networkId } }: Pick<RestoringCall, 'actor'>,
  { backup, signal }: { readonly backup: CompleteBackup; readonly signal: AbortSignal },
): Promise<BackupLosses> {
  const read = async (current: CompleteBackup): Promise<BackupLosses> => {
    await requireRestorable({ services, backup: current, adminId });
    const open = await requireOpener(current.manifest, settings.key);
    return readLosses(services.db.patient, networkId, current, { open, signal });
  };
  if (!(await isOlder(backup.manifest, settings))) return read(backup);
  await requireLocal({ services, backup, adminId });
  const work = { signal, progress: () => undefined };
  return turn.run(() => withMigratedBackup({ settings, disk, backup, work }, read));
}

async function restore(
  parts: RestoreDependencies,
  { call, backup, renames, trust }: RestoreOrder,
  work: ClosingWork,
): Promise<Restored> {
  const { services, settings } = parts;
  const { sealKey } = settings;
  // In a group, the key of another cell would not help.
  if (services.directory) await requireLocal({ services, backup, adminId: call.actor.id }).catch(toRefusal);
  requireTrusted(backup.manifest, { sealKey, trust, command: restoreCommand(call, backup) });
  const { takenAt, checkpoint } = backup.manifest;
  return withSafetyBackup(parts, call, work, (safetyFolder) =>
    withStagedNetwork(parts, { call, backup, work }, async (exchange) => {
      const slips = await issueResetSlips(services, exchange, { isOperator: call.isOperator === true });
      const { voided, kept } = await auditAndSwap(parts, { call, exchange, renames, what: 'its contents' }, work, {
        subject: BACKUP_SUBJECTS.restored(backup.name, timeWords(new Date(takenAt), services.timeZone)),
        detail: {
          restoredFrom: backup.name,
          takenAt,
          safetyBackup: safetyFolder,
          checkpoint,
          ...signerDetail(backup.manifest, sealKey),
          ...(exchange.arrival && { moved: await rearrivalDetail(services, exchange, exchange.arrival) }),
          ...(slips.length > 0 && { resetSlips: slips.length }),
        },
        changes: await describeLosses(services.db.patient, exchange.live, exchange.takenAt),
      });
      return { safetyFolder, notes: notesOf(voided, kept), slips: await withNames(services, exchange.staged, slips) };
    }),
  );
}

/** The log of the restored network proves its move. */
async function rearrivalDetail({ db }: Services, { staged }: Exchange, { id }: LastArrival): Promise<object> {
  return { id, told: await rootExtractHash(db, staged, id) };
}

/** Deletes the safety backup if `act` fails and the network still exists. */
async function withSafetyBackup<T>(
  { services, settings }: RestoreDependencies,
  { actor }: RestoringCall,
  { signal, progress }: Work,
  act: (safetyFolder: string) => Promise<T>,
): Promise<T> {
  const { name } = await backUpNetwork(services, settings, {
    admin: actor,
    by: safetyBy(actor.username),
    signal,
    progress: (_step, done, total) => progress(BACKUP_STEPS.backingUp, done, total),
  });
  try {
    return await act(name);
  } catch (error) {
    // An unanswered commit may have succeeded.
    const isFinal = error instanceof CallError && error.code !== 'OUTCOME_UNKNOWN';
    const isThere = sql`select from networks where id = ${actor.networkId}`;
    if (isFinal && (await services.db.query(isThere).catch(() => [])).length > 0)
      await removeBackup({ folder: path.join(foldersOf(settings.dir, actor.id), name) }).catch(() => {});
    throw error;
  }
}

function notesOf(voided: number, { stopped, deleted }: UpdateCounts): string[] {
  const stay = (count: number): string => `${count} ${count === 1 ? 'account stays' : 'accounts stay'}`;
  return [
    ...voidedNotes(voided),
    BACKUP_TEXTS.ownAccountKept,
    ...(stopped > 0 ? [BACKUP_TEXTS.keptInactive(stay(stopped))] : []),
    ...(deleted > 0 ? [BACKUP_TEXTS.keptDeleted(stay(deleted))] : []),
  ];
}

function restoreCommand({ actor }: RestoringCall, { name }: CompleteBackup): string {
  return `npm run restore -- ${actor.username} ${name} --yes`;
}

async function drill(
  parts: RestoreDependencies,
  call: RestoringCall,
  backup: CompleteBackup,
  work: Work,
): Promise<readonly string[]> {
  // A missing key does not make the backup bad.
  await requireOpener(backup.manifest, parts.settings.key).catch(toRefusal);
  const { sealKey } = parts.settings;
  const distrust = distrustOf(backup.manifest, { sealKey, command: restoreCommand(call, backup) });
  if (distrust !== undefined) return [distrust];
  try {
    return await withTemporaryStagedBackup(parts, { call, backup, work }, async (exchange) => {
      await prepare(parts, exchange, {}, work, { renames: 'any' });
      return problemsOf(parts, exchange, work);
    });
  } catch (error) {
    if (error instanceof CallError && error.cause instanceof BackupDamaged) return [error.message];
    throw error;
  }
}

async function undo(parts: RestoreDependencies, call: RestoringCall, work: ClosingWork): Promise<void> {
  const { services } = parts;
  const { id: adminId, networkId: live, username } = call.actor;
  const replaced = await lastReplaced(services.db, adminId, services.clock.now());
  if (!replaced) throw new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.nothingToUndo });
  const exchange = {
    adminId,
    staged: replaced.id,
    live,
    rootLog: replaced.rootLog,
    takenAt: replaced.since,
    username,
    approval: call.guard?.approval,
    isUndo: true,
  };
  const since = replaced.since.toISOString();
  await withSafetyBackup(parts, call, work, async (safetyBackup) =>
    auditAndSwap(parts, { call, exchange, renames: {}, what: 'the previous state' }, work, {
      subject: BACKUP_SUBJECTS.undone(timeWords(replaced.since, services.timeZone)),
      detail: { undoneRestoreOf: since, safetyBackup },
      changes: await describeLosses(services.db.patient, live, replaced.since),
    }),
  );
}

function withTemporaryStagedBackup<T>(
  parts: RestoreDependencies,
  order: ExchangeOrder,
  act: (exchange: Exchange) => Promise<T>,
): Promise<T> {
  return withStagedNetwork(parts, order, async (exchange) => {
    const result = await act(exchange);
    order.work.progress(BACKUP_STEPS.deletingCopy, 0, 0);
    await dropStagedNetwork(parts.services.db, exchange.staged);
    return result;
  });
}
