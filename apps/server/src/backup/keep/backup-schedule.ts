import type { ErrorCode } from '@drawhouse/contract/core/errors';
import type { Logger } from 'pino';
import { lastTimeOf, type BackupPlan } from '../../config/backup-settings.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { acquireNamedLock } from '../../platform/db/connection/hold-lock.ts';
import { NOWHERE } from '../../platform/http/handler.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { failureOf } from '../../activity/network-work/network-work.ts';
import { readBackups, readHistory } from './backup-folders.ts';
import { isIdentity } from '../take/archive/encryption.ts';
import {
  failedSteps,
  isRight,
  nextStep,
  scheduledOf,
  stepsDue,
  takenAt,
  type FailedStep,
  type ScheduleState,
  type ScheduleStep,
} from './next-step.ts';
import {
  checkBackup,
  deleteBackup,
  drillBackup,
  makeBackup,
  transferBackup,
  type BackupCall,
  type BackupParts,
} from '../take/own-backups.ts';
import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import type { Actor } from '../../accounts/authority.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { inSubtree, selectVisible } from '../../platform/db/visibility-predicate.ts';
import type { WorkKind } from '@drawhouse/contract/network-work/network-work-texts';
import { BACKUP_TEXTS } from '../backup-texts.ts';

/** Time until a missed backup is overdue, counted from the server's start if later. */
const GRACE_MS = 2 * 3_600_000;
/** The holder does the scheduled work, after rereading the state. */
const LOCK = 'backup schedule';
const QUIET: ReadonlySet<ErrorCode> = new Set(['WORK_UNDER_WAY', 'NOT_READY']);

const FAILED_STEPS: Partial<Record<WorkKind, string>> = {
  check: 'It was made, but could not be checked. ',
  drill: 'It was made, but could not be tested. ',
  transfer: 'It was made, but could not be transferred. ',
  deletion: 'Old backups could not be deleted. ',
};

export type BackupTrouble = {
  readonly username: string;
} & (
  | { readonly code: 'BACKUP_FAILED'; readonly detail: string }
  | { readonly code: 'BACKUP_OVERDUE'; readonly last: string | null }
);

export interface BackupSchedule {
  /** Returns true if more may be due. Several servers may call it. */
  doNext(): Promise<boolean>;
  troubles(this: void): ReadonlyMap<string, BackupTrouble>;
  /** Unix milliseconds by admin id. Undefined without a good backup. */
  lastTaken(this: void): ReadonlyMap<string, number | undefined>;
}

type Network = BackupCall['actor'];

export function createBackupSchedule(parts: BackupParts, logger: Logger): BackupSchedule {
  const { plan } = parts.settings;
  const startedAt = parts.services.clock.now();
  const troubles = new Map<string, BackupTrouble>();
  const lastTaken = new Map<string, number | undefined>();
  const failed = new Map<string, Map<WorkKind, FailedStep>>();
  const findStep = async (network: Network): Promise<ScheduleStep | undefined> => {
    const tried = failed.get(network.id) ?? new Map<WorkKind, FailedStep>();
    const state = await readState(parts, plan!, network, tried).catch((error: NodeJS.ErrnoException) => {
      // One unreadable folder must not stop other networks.
      if (error.syscall === undefined) throw error;
      logger.error({ error, admin: network.username }, 'the backups of a network can’t be checked');
      const detail = BACKUP_TEXTS.folderUnreadable(error.code);
      troubles.set(network.id, { code: 'BACKUP_FAILED', username: network.username, detail });
      return undefined;
    });
    if (!state) return undefined;
    const due = stepsDue(state);
    for (const kind of state.failed.keys())
      if (!due.some((step) => step.kind === kind)) failed.get(network.id)?.delete(kind);
    const last = scheduledOf(state.backups).find(isRight);
    lastTaken.set(network.id, last && takenAt(last));
    const trouble = troubleOf(state, network, startedAt);
    if (trouble) troubles.set(network.id, trouble);
    else troubles.delete(network.id);
    return state.latest?.finishedAt === null ? undefined : nextStep(state);
  };
  const doStep = async (network: Network, step: ScheduleStep): Promise<boolean> => {
    try {
      await run(parts, { actor: network, origin: NOWHERE, isScheduled: true }, step);
      failed.get(network.id)?.delete(step.kind);
      return true;
    } catch (error) {
      // Another server began first, or this one is stopping.
      if (error instanceof CallError && QUIET.has(error.code)) return false;
      logger.error({ error, admin: network.username, step: step.kind }, 'a step of the scheduled backups failed');
      const ofNetwork = failed.get(network.id) ?? new Map<WorkKind, FailedStep>();
      failed.set(network.id, ofNetwork.set(step.kind, { at: parts.services.clock.now(), why: failureOf(error) }));
      return false;
    } finally {
      await findStep(network);
    }
  };
  return {
    troubles: () => troubles,
    lastTaken: () => lastTaken,
    async doNext() {
      if (!plan) return false;
      const networks = await readNetworks(parts.services.db);
      for (const cache of [troubles, lastTaken])
        for (const id of cache.keys()) if (!networks.some((network) => network.id === id)) cache.delete(id);
      const due: Network[] = [];
      for (const network of networks) if (await findStep(network)) due.push(network);
      if (due.length === 0) return false;
      const lock = await acquireNamedLock(parts.settings.connectionString(), LOCK);
      if (!lock) return false;
      try {
        for (const network of due) {
          const step = await findStep(network);
          if (step && (await doStep(network, step))) return true;
        }
        return false;
      } finally {
        await lock.release();
      }
    },
  };
}

async function run(parts: BackupParts, call: BackupCall, step: ScheduleStep): Promise<void> {
  if (step.kind === 'backup') await makeBackup(parts, call);
  else if (step.kind === 'check') await checkBackup(parts, call, step.name);
  else if (step.kind === 'deletion') await deleteBackup(parts, call, step.name);
  else if (step.kind === 'drill') await drillBackup(parts, call, step.name);
  else await transferBackup(parts, call, step.name);
}

export interface StateParts {
  readonly services: Pick<BackupParts['services'], 'clock' | 'timeZone'>;
  readonly settings: Pick<BackupParts['settings'], 'dir' | 'key'>;
  readonly work: Pick<BackupParts['work'], 'latest'>;
  readonly transferring: object | undefined;
}

export async function readState(
  { services, settings, work, transferring }: StateParts,
  plan: BackupPlan,
  { id }: Pick<Network, 'id'>,
  failed: ScheduleState['failed'],
): Promise<ScheduleState> {
  const now = services.clock.now();
  const latest = await work.latest(id);
  const backups = await readBackups(settings.dir, id);
  return {
    plan,
    now,
    lastTime: lastTimeOf(plan, now, services.timeZone),
    latest,
    failed,
    backups: await Promise.all(
      backups.map(async (backup) => ({ ...backup, history: await readHistory(backup.folder) })),
    ),
    drills: settings.key === undefined || isIdentity(settings.key),
    transfers: transferring !== undefined,
  };
}

export async function readNetworks(db: Queryable): Promise<Network[]> {
  return db.query<Network>(
    sql`select a.id, n.id as "networkId", a.username, a.role, a.chain from networks n join accounts a on a.id = n.admin_id
     where a.deleted_at is null order by lower(a.username) collate natural_order`,
  );
}

/** `startedAt`: start of this server, which grants a grace period. */
export function troubleOf(
  state: ScheduleState,
  { username }: Pick<Network, 'username'>,
  startedAt: Date,
): BackupTrouble | undefined {
  const { backups, latest, lastTime, now } = state;
  const made = scheduledOf(backups);
  const [newest] = made;
  const failed = failedSteps(state);
  const step = stepsDue(state).find(({ kind }) => failed.has(kind));
  if (step)
    return {
      code: 'BACKUP_FAILED',
      username,
      detail: `${FAILED_STEPS[step.kind] ?? ''}${failed.get(step.kind)!.why}`,
    };
  if (newest && !isRight(newest))
    return {
      code: 'BACKUP_FAILED',
      username,
      detail: `Backup "${newest.name}": ${newest.history.problems!.join('; ')}`,
    };
  const last = made.find(isRight);
  const isUnderWay = latest?.finishedAt === null;
  const lateSince = Math.max(lastTime.getTime(), startedAt.getTime());
  if (isUnderWay || now.getTime() < lateSince + GRACE_MS || (last && takenAt(last) >= lastTime.getTime()))
    return undefined;
  return { code: 'BACKUP_OVERDUE', username, last: last?.manifest.takenAt ?? null };
}

export async function backupNotices(
  on: Queryable,
  actor: Actor,
  troubles: ReadonlyMap<string, BackupTrouble>,
): Promise<FoundNotice[]> {
  if (troubles.size === 0) return [];
  const seen = await on.query<{ id: string }>(
    selectVisible({
      select: sql`a.id`,
      from: sql`accounts a`,
      authority: inSubtree('a', actor),
      where: sql`a.id = any(${[...troubles.keys()]}::uuid[])`,
    }),
  );
  return seen
    .map(({ id }) => troubles.get(id)!)
    .toSorted((a, b) => a.username.localeCompare(b.username, 'en', { numeric: true }))
    .map(({ username, ...trouble }) => ({ ...trouble, admin: username }));
}
