import type { Readable } from 'node:stream';
import type { Backup } from '@drawhouse/contract/backup/backups';
import { appendActivity, SYSTEM } from '../../activity/append-activity.ts';
import { beginWork, judgeWork, runCommandDuringRestore } from '../../activity/run-command.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { ClosingWork, NetworkWork, WorkState } from '../../activity/network-work/network-work.ts';
import type { BackupPlan, TransferTarget } from '../../config/backup-settings.ts';
import type { Services } from '../../platform/services.ts';
import type { SecretsRemoval } from './archive/archive.ts';
import {
  type BackupFolder,
  type CompleteBackup,
  findBackup,
  readBackups,
  removeBackup,
  timeOfName,
  type BackupHistory,
  readHistory,
  recordCheck,
  recordHistory,
  recordTrial,
} from '../keep/backup-folders.ts';
import { backUpNetwork, evidenceUntil, isEvidence, isSafety } from './back-up-network.ts';
import { type Disk, toDiskError } from '../keep/disk-space.ts';
import { SCHEDULE } from '../keep/next-step.ts';
import { timeWords } from '../../protection/protection-texts.ts';
import { describeLosses } from '../restore/losses.ts';
import { lastReplaced } from '../restore/stage-network.ts';
import type { Restored, Restoring, RestoringCall } from '../restore/restoring.ts';
import type { takeBackup } from './take-backup.ts';
import type { Transferring } from '../send/transfer-backup.ts';
import { verifyBackup } from '../keep/verify-backup.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import type { WorkKind } from '@drawhouse/contract/network-work/network-work-texts';
import { BACKUP_SUBJECTS, BACKUP_TEXTS } from '../backup-texts.ts';

export interface BackupSettings {
  readonly connectionString: () => string;
  /** Default: the serving role. */
  readonly ownerConnectionString?: (() => string) | undefined;
  readonly dir: string;
  readonly databaseDir?: string | undefined;
  readonly key: string | undefined;
  readonly sealKey?: Uint8Array | undefined;
  /** `BACKUP_QUOTA`. Undefined: unlimited. */
  readonly quota?: number | undefined;
  readonly transfer?: TransferTarget | undefined;
  readonly plan?: BackupPlan | undefined;
  readonly migrations?: string | undefined;
  readonly take?: typeof takeBackup | undefined;
}

export interface BackupParts {
  readonly services: Services;
  readonly work: NetworkWork;
  readonly settings: BackupSettings;
  readonly restoring: Restoring;
  readonly archiveOf: (folder: string, leaving?: SecretsRemoval) => Readable;
  readonly transferring: Transferring | undefined;
  readonly disk?: Disk | undefined;
}

export interface BackupCall extends RestoringCall {
  /** The log of scheduled work names no account. */
  readonly isScheduled?: boolean;
}

function authorOf({ actor, isScheduled }: BackupCall): string {
  return isScheduled ? SCHEDULE : actor.username;
}

export async function listOwnBackups(
  { settings, work }: BackupParts,
  { actor }: Pick<BackupCall, 'actor'>,
): Promise<Backup[]> {
  // Reads work first, so a backup finishing meanwhile is not listed as unfinished.
  const latest = await work.latest(actor.id);
  const backups = await readBackups(settings.dir, actor.id);
  return Promise.all(backups.map(async (backup) => toBackup(backup, await readHistory(backup.folder), latest)));
}

function toBackup({ name, manifest }: BackupFolder, history: BackupHistory, latest: WorkState | undefined): Backup {
  const parsed = typeof manifest === 'object' ? manifest : undefined;
  const problems = typeof manifest === 'string' ? [manifest] : (history.problems ?? []);
  const sum = (of: 'rows' | 'bytes'): number | null => parsed?.files.reduce((all, file) => all + file[of], 0) ?? null;
  return {
    name,
    createdAt: parsed?.takenAt ?? timeOfName(name).toISOString(),
    state: manifest === undefined ? stateOfUnfinished(name, latest) : problems.length > 0 ? 'damaged' : 'whole',
    by: parsed?.by ?? null,
    bytes: sum('bytes'),
    rows: sum('rows'),
    isEncrypted: parsed ? parsed.recipient !== null : null,
    isEvidence: parsed !== undefined && isEvidence(parsed),
    problems: manifest === undefined ? [] : problems,
    checkedAt: history.checkedAt ?? null,
    drilledAt: history.drilledAt ?? null,
    transferredAt: history.transferredAt ?? null,
  };
}

/** Only work that started before the folder can be making it. */
function stateOfUnfinished(name: string, latest: WorkState | undefined): 'making' | 'unfinished' {
  const isUnderWay = latest !== undefined && latest.finishedAt === null;
  // Folder names have whole seconds.
  return isUnderWay && timeOfName(name).getTime() > latest.startedAt.getTime() - 1_000 ? 'making' : 'unfinished';
}

async function requireBackup({ settings }: BackupParts, { actor }: BackupCall, name: string) {
  const backup = await findBackup(settings.dir, actor.id, name);
  if (!backup) throw new CallError('NOT_FOUND', { message: BACKUP_TEXTS.notFound });
  return backup;
}

export async function requireFinished(parts: BackupParts, call: BackupCall, name: string): Promise<CompleteBackup> {
  const { manifest, ...rest } = await requireBackup(parts, call, name);
  if (typeof manifest === 'object') return { ...rest, manifest };
  throw new CallError('RULE_REFUSED', {
    message: manifest === undefined ? BACKUP_TEXTS.unfinished : BACKUP_TEXTS.damaged(manifest),
  });
}

export function makeBackup(parts: BackupParts, call: BackupCall): Promise<{ message: string; folder: string }> {
  return alone(parts, call, 'backup', async ({ signal, progress }) => {
    if (!call.isScheduled) await requireQuota(parts, call);
    const by = authorOf(call);
    const asked = { admin: call.actor, by, signal, progress, disk: parts.disk };
    const { name: folder } = await backUpNetwork(parts.services, parts.settings, asked);
    await log(parts, call, BACKUP_SUBJECTS.made(folder), { backup: folder });
    return { message: BACKUP_TEXTS.completed, folder };
  });
}

/** Scheduled backups expire and evidence cannot be deleted, so neither counts. */
async function requireQuota({ settings: { dir, quota } }: BackupParts, { actor }: BackupCall): Promise<void> {
  if (quota === undefined) return;
  const counted = (await readBackups(dir, actor.id)).filter(
    ({ manifest }) => typeof manifest === 'object' && manifest.by !== SCHEDULE && !isEvidence(manifest),
  );
  if (counted.length >= quota)
    throw new CallError('RULE_REFUSED', {
      message: BACKUP_TEXTS.quotaUsed(counted.length, quota),
    });
}

/** Limits safety backups, which stay 90 days, to the quota; operators are exempt. */
async function requireRestoresLeft(
  { services, settings: { dir, quota } }: BackupParts,
  { actor }: BackupCall,
): Promise<void> {
  if (quota === undefined) return;
  const now = services.clock.now();
  const counted = (await readBackups(dir, actor.id)).filter(
    ({ manifest }) => typeof manifest === 'object' && isSafety(manifest) && evidenceUntil(manifest) > now,
  );
  if (counted.length >= quota)
    throw new CallError('RULE_REFUSED', {
      message: BACKUP_TEXTS.restoresUsed(counted.length),
    });
}

interface Found {
  readonly message: string;
  readonly folder: string;
  readonly problems: string[];
}

export function checkBackup(parts: BackupParts, call: BackupCall, name: string): Promise<Found> {
  return alone(parts, call, 'check', async ({ signal, progress }) => {
    const { folder } = await requireFinished(parts, call, name);
    const { problems } = await verifyBackup(folder, { key: parts.settings.key, signal, progress });
    await recordCheck(folder, parts.services.clock.now(), { problems });
    const found = problems.length === 0 ? 'is intact' : 'is damaged';
    await log(parts, call, BACKUP_SUBJECTS.checked(name, found), { backup: name, problems });
    return { message: BACKUP_TEXTS.found(name, found), folder: name, problems: [...problems] };
  });
}

export function drillBackup(parts: BackupParts, call: BackupCall, name: string): Promise<Found> {
  return alone(parts, call, 'drill', async (work) => {
    const backup = await requireFinished(parts, call, name);
    const problems = [...(await parts.restoring.drill(call, backup, work))];
    await recordTrial(backup.folder, parts.services.clock.now(), { problems });
    const found = problems.length === 0 ? 'can be restored' : 'can’t be restored';
    await log(parts, call, BACKUP_SUBJECTS.tested(name, found), { backup: name, problems });
    return { message: BACKUP_TEXTS.found(name, found), folder: name, problems };
  });
}

export async function restoreBackup(
  parts: BackupParts,
  call: BackupCall,
  name: string,
  renames: Readonly<Record<string, string>>,
): Promise<{ message: string; folder: string; safetyFolder: string; notes: string[] }> {
  await judgeRestore(parts, call, await requireFinished(parts, call, name));
  return alone(parts, call, 'restore', async (work) => {
    const backup = await requireFinished(parts, call, name);
    await requireRestoresLeft(parts, call);
    await beginWork(parts.services, call);
    const { safetyFolder, notes }: Restored = await parts.restoring.restore({ call, backup, renames }, work);
    return { message: BACKUP_TEXTS.restored(name), folder: name, safetyFolder, notes: [...notes] };
  });
}

/** A restore may need a second person if it undoes settled draws. */
async function judgeRestore({ services }: BackupParts, call: BackupCall, backup: CompleteBackup): Promise<void> {
  const { networkId } = call.actor;
  const since = new Date(backup.manifest.takenAt);
  const [settled] = await services.db.query(
    sql`select from draws where network_id = ${networkId} and status = 'settled' and finished_at >= ${since} limit 1`,
  );
  if (!settled) return;
  await judgeWork(services, call, {
    kind: 'restore',
    networkId,
    subject: BACKUP_SUBJECTS.restore(backup.name),
    changes: await describeLosses(services.db.patient, networkId, since),
  });
}

export async function undoRestore(parts: BackupParts, call: BackupCall): Promise<{ message: string }> {
  await judgeUndo(parts, call);
  return alone(parts, call, 'undo', async (work) => {
    await requireRestoresLeft(parts, call);
    await beginWork(parts.services, call);
    await parts.restoring.undo(call, work);
    return { message: BACKUP_TEXTS.undone };
  });
}

/** Draws may have settled since the restore. */
async function judgeUndo({ services }: BackupParts, call: BackupCall): Promise<void> {
  const { id, networkId } = call.actor;
  const replaced = await lastReplaced(services.db, id, services.clock.now());
  if (!replaced) return;
  const [settled] = await services.db.patient.query(
    sql`select from draws d where d.network_id = ${networkId} and d.status = 'settled' and not exists (select from draws before
      where before.network_id = ${replaced.id} and before.id = d.id and before.status = 'settled') limit 1`,
  );
  if (!settled) return;
  await judgeWork(services, call, {
    kind: 'restore',
    networkId,
    subject: BACKUP_SUBJECTS.undone(timeWords(replaced.since, services.timeZone)),
    changes: await describeLosses(services.db.patient, networkId, replaced.since),
  });
}

export async function transferBackup(
  parts: BackupParts,
  call: BackupCall,
  name: string,
): Promise<{ message: string; folder: string }> {
  const { folder } = await requireFinished(parts, call, name);
  await judgeExport(parts, call, name);
  return alone(parts, call, 'transfer', async (work) => {
    if (!parts.transferring) throw new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.noTransfer });
    const { problems = [] } = await readHistory(folder);
    // A destination keeping only the newest would lose a good one.
    if (problems.length > 0) throw new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.damagedNotSent });
    const { where } = await parts.transferring.send(folder, archiveName(call, name), work);
    await recordHistory(folder, { transferredAt: parts.services.clock.now().toISOString() });
    await log(parts, call, BACKUP_SUBJECTS.transferred(name, where), { backup: name, where });
    return { message: BACKUP_TEXTS.transferred(name, where), folder: name };
  });
}

export function deleteBackup(parts: BackupParts, call: BackupCall, name: string): Promise<{ message: string }> {
  return alone(parts, call, 'deletion', async () => {
    const backup = await requireBackup(parts, call, name);
    if (typeof backup.manifest === 'object' && isEvidence(backup.manifest))
      throw new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.isEvidence });
    await removeBackup(backup);
    await log(parts, call, BACKUP_SUBJECTS.deleted(name), { backup: name });
    return { message: BACKUP_TEXTS.deleted(name) };
  });
}

export async function requireExportable(parts: BackupParts, call: BackupCall, name: string): Promise<void> {
  await requireBackup(parts, call, name);
  await judgeExport(parts, call, name);
}

function judgeExport({ services }: BackupParts, call: BackupCall, name: string): Promise<void> {
  const { networkId } = call.actor;
  return judgeWork(services, call, { kind: 'export', networkId, subject: BACKUP_SUBJECTS.export(name), changes: [] });
}

/** Removes password hashes unless encrypted. HEAD requests are not logged. */
export async function downloadBackup(
  parts: BackupParts,
  call: BackupCall,
  name: string,
): Promise<{ fileName: string; stream: Readable }> {
  const { folder } = await requireFinished(parts, call, name);
  if (call.origin.method !== 'HEAD') {
    await judgeExport(parts, call, name);
    await log(parts, call, BACKUP_SUBJECTS.downloaded(name), { backup: name });
  }
  return { fileName: archiveName(call, name), stream: parts.archiveOf(folder, { sealKey: parts.settings.sealKey }) };
}

function archiveName({ actor }: BackupCall, name: string): string {
  return `${actor.username}-${name}.zip`;
}

async function alone<T>(
  { services, work }: BackupParts,
  call: BackupCall,
  kind: WorkKind,
  act: (work: ClosingWork) => Promise<T>,
): Promise<T> {
  const closes = kind === 'restore' || kind === 'undo' ? call.actor.networkId : undefined;
  return work.run({ adminId: call.actor.id, kind, by: authorOf(call), closes }, async (given) => {
    try {
      await requireNetwork(services, call);
      return await act(given);
    } catch (error) {
      throw given.signal.aborted ? given.signal.reason : toDiskError(error);
    }
  });
}

/** Throws SESSION_ENDED if earlier work replaced the network. */
async function requireNetwork({ db }: Services, { actor }: BackupCall): Promise<void> {
  const found = await db.query(sql`select from networks where id = ${actor.networkId} and admin_id = ${actor.id}`);
  if (found.length === 0) throw new CallError('SESSION_ENDED');
}

async function log(
  { services }: BackupParts,
  call: BackupCall,
  subject: string,
  detail: Record<string, unknown>,
): Promise<void> {
  const { actor, origin, isScheduled } = call;
  if (!isScheduled)
    return runCommandDuringRestore(services, call, async () => ({ result: undefined, subject, detail }));
  await services.db.transaction((tx) =>
    appendActivity(tx, actor.networkId, services, [{ accountId: null, username: SYSTEM, subject, origin, detail }]),
  );
}
