import type { BackupPlan } from '../../config/backup-settings.ts';
import type { WorkState } from '../../activity/network-work/network-work.ts';
import { timeOfName, type BackupFolder, type BackupHistory } from './backup-folders.ts';
import type { Manifest } from '../take/archive/manifest.ts';
import type { WorkKind } from '@drawhouse/contract/network-work/network-work-texts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RETRY_MS = HOUR_MS;
/** One retry after damage: its cause would damage more backups. */
const MAX_PER_SCHEDULED_TIME = 2;
const DRILL_EVERY_MS = 7 * DAY_MS;
/** Older folders without manifest are abandoned. */
const UNFINISHED_MS = DAY_MS;

export const SCHEDULE = 'the schedule';

export interface KnownBackup extends BackupFolder {
  readonly history: BackupHistory;
}

export interface FailedStep {
  readonly at: Date;
  readonly why: string;
}

export interface ScheduleState {
  readonly plan: BackupPlan;
  readonly lastTime: Date;
  readonly now: Date;
  /** Newest first. */
  readonly backups: readonly KnownBackup[];
  /** Includes work that people started. */
  readonly latest: WorkState | undefined;
  /** `latest` may be other work. */
  readonly failed: ReadonlyMap<WorkKind, FailedStep>;
  readonly drills: boolean;
  readonly transfers: boolean;
}

export type ScheduleStep =
  | { readonly kind: 'backup' }
  | { readonly kind: 'check' | 'deletion' | 'drill' | 'transfer'; readonly name: string };

type CompleteKnownBackup = KnownBackup & { readonly manifest: Manifest };

/** Uses only stored backups, so any server can continue after a crash. */
export function nextStep(state: ScheduleState): ScheduleStep | undefined {
  const { now } = state;
  const failed = failedSteps(state);
  const rests = ({ kind }: ScheduleStep): boolean => {
    const at = failed.get(kind)?.at;
    return at !== undefined && now.getTime() < at.getTime() + RETRY_MS;
  };
  return stepsDue(state).find((step) => !rests(step));
}

export function failedSteps({ latest, failed, now }: ScheduleState): ReadonlyMap<WorkKind, FailedStep> {
  if (latest?.by !== SCHEDULE || latest.failure === null) return failed;
  return new Map([...failed, [latest.kind, { at: latest.finishedAt ?? now, why: latest.failure }]]);
}

export function stepsDue(state: ScheduleState): ScheduleStep[] {
  const { backups, now, drills, transfers } = state;
  const scheduled = scheduledOf(backups);
  const [newest] = scheduled;
  const steps: ScheduleStep[] = [];
  if (isBackupDue(state, scheduled)) steps.push({ kind: 'backup' });
  if (newest && !newest.history.checkedAt && isRight(newest)) steps.push({ kind: 'check', name: newest.name });
  for (const { name } of toDelete(state)) steps.push({ kind: 'deletion', name });
  if (newest && isVerified(newest)) {
    if (drills && now.getTime() >= Math.max(...backups.map(triedAt)) + DRILL_EVERY_MS)
      steps.push({ kind: 'drill', name: newest.name });
    if (transfers && !newest.history.transferredAt) steps.push({ kind: 'transfer', name: newest.name });
  }
  return steps;
}

function isBackupDue({ lastTime, now }: ScheduleState, scheduled: readonly CompleteKnownBackup[]): boolean {
  const sinceThen = scheduled.filter((backup) => takenAt(backup) >= lastTime.getTime());
  if (sinceThen.some(isRight)) return false;
  const [latest] = sinceThen;
  return !latest || (sinceThen.length < MAX_PER_SCHEDULED_TIME && now.getTime() >= takenAt(latest) + RETRY_MS);
}

/**
 * Scheduled backups beyond retention, oldest first, and abandoned folders. Keeps at least one verified backup, and the
 * last one tried.
 */
function toDelete({ plan, backups, now }: ScheduleState): KnownBackup[] {
  const { keep, keepDays = Infinity } = plan;
  const tried = lastTried(backups);
  let retained = 0;
  const old = scheduledOf(backups).filter((backup) => {
    if (backup === tried) return false;
    if (retained >= keep || now.getTime() - takenAt(backup) > keepDays * DAY_MS) return true;
    if (isRight(backup)) retained++;
    return false;
  });
  const expired = new Set<KnownBackup>();
  for (const backup of old.toReversed())
    if (backups.some((other) => other !== backup && !expired.has(other) && isVerified(other))) expired.add(backup);
  const unfinished = backups.filter(
    ({ name, manifest }) => manifest === undefined && now.getTime() - timeOfName(name).getTime() > UNFINISHED_MS,
  );
  return [...expired, ...unfinished];
}

function lastTried(backups: readonly KnownBackup[]): KnownBackup | undefined {
  const tried = backups.filter((backup) => isRight(backup) && triedAt(backup) > 0);
  return tried.toSorted((a, b) => triedAt(b) - triedAt(a))[0];
}

function triedAt({ history }: KnownBackup): number {
  return Date.parse(history.drilledAt ?? '') || 0;
}

export function scheduledOf(backups: readonly KnownBackup[]): CompleteKnownBackup[] {
  return backups.filter(
    (backup): backup is CompleteKnownBackup => typeof backup.manifest === 'object' && backup.manifest.by === SCHEDULE,
  );
}

export function isRight({ manifest, history }: KnownBackup): boolean {
  return typeof manifest === 'object' && (history.problems ?? []).length === 0;
}

function isVerified(backup: KnownBackup): boolean {
  const { checkedAt, drilledAt } = backup.history;
  return isRight(backup) && (checkedAt ?? drilledAt) !== undefined;
}

export function takenAt({ manifest }: { readonly manifest: Manifest }): number {
  return Date.parse(manifest.takenAt);
}
