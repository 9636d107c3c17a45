import type { BackupPlan } from '../backup-plan.ts';
import type { WorkKind } from '@drawhouse/contract/network-work/work';
import type { WorkState } from '../network-work/network-work.ts';
import { timeOfName } from './backup-folders.ts';
import type { BackupFolder } from './backup-folders.ts';
import type { BackupHistory } from './backup-history.ts';
import type { Manifest } from './manifest.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** What failed, or was cut off, is tried again so long after. */
const RETRY_MS = HOUR_MS;
/** A backup that is found damaged is made once more, and then not before its next time: what damages it would damage any. */
const MOST_OF_A_TIME = 2;
const DRILL_EVERY_MS = 7 * DAY_MS;
/** A folder without a manifest is nobody's any more. */
const UNFINISHED_MS = DAY_MS;

/** Who has made what the schedule makes. */
export const SCHEDULE = 'the schedule';

/** A backup with what has become of it. */
export interface KnownBackup extends BackupFolder {
  readonly history: BackupHistory;
}

/** A step that failed. */
export interface FailedStep {
  readonly at: Date;
  /** Why, as a sentence. */
  readonly why: string;
}

/** What the next step of a network's schedule follows from. */
export interface ScheduleState {
  readonly plan: BackupPlan;
  /** When the last backup of the plan was to be made. */
  readonly lastTime: Date;
  readonly now: Date;
  /** All of the network, the newest first. */
  readonly backups: readonly KnownBackup[];
  /** The latest work on the network, whoever asked for it. */
  readonly latest: WorkState | undefined;
  /** The steps that failed on this server and have not gone well since, by their kinds: the latest work may have been something else meanwhile. */
  readonly failed: ReadonlyMap<WorkKind, FailedStep>;
  /** Whether backups can be read here, so that one can be tried. */
  readonly drills: boolean;
  readonly transfers: boolean;
}

/** The next thing to be done with a network, by the kind of its work; with which of its backups. */
export type ScheduleStep =
  | { readonly kind: 'backup' }
  | { readonly kind: 'check' | 'deletion' | 'drill' | 'transfer'; readonly name: string };

type Whole = KnownBackup & { readonly manifest: Manifest };

/**
 * What the schedule is to do next with a network; undefined where nothing is due. It follows from what lies there alone: whoever was killed in
 * the middle is caught up with by the next that looks.
 */
export function nextStep(state: ScheduleState): ScheduleStep | undefined {
  const { now } = state;
  const failed = failedSteps(state);
  const rests = ({ kind }: ScheduleStep): boolean => {
    const at = failed.get(kind)?.at;
    return at !== undefined && now.getTime() < at.getTime() + RETRY_MS;
  };
  return stepsDue(state).find((step) => !rests(step));
}

/** The steps of a network that have failed, as far as is known. */
export function failedSteps({ latest, failed, now }: ScheduleState): ReadonlyMap<WorkKind, FailedStep> {
  if (latest?.by !== SCHEDULE || latest.failure === null) return failed;
  return new Map([...failed, [latest.kind, { at: latest.finishedAt ?? now, why: latest.failure }]]);
}

/** All that is due for a network, in the order in which it is done. */
export function stepsDue(state: ScheduleState): ScheduleStep[] {
  const { backups, now, drills, transfers } = state;
  const made = scheduledOf(backups);
  const [newest] = made;
  const steps: ScheduleStep[] = [];
  if (isBackupDue(state, made)) steps.push({ kind: 'backup' });
  if (newest && !newest.history.checkedAt && isRight(newest)) steps.push({ kind: 'check', name: newest.name });
  for (const { name } of toDelete(state)) steps.push({ kind: 'deletion', name });
  if (newest && isProved(newest)) {
    if (drills && now.getTime() >= Math.max(...backups.map(triedAt)) + DRILL_EVERY_MS)
      steps.push({ kind: 'drill', name: newest.name });
    if (transfers && !newest.history.transferredAt) steps.push({ kind: 'transfer', name: newest.name });
  }
  return steps;
}

function isBackupDue({ lastTime, now }: ScheduleState, made: readonly Whole[]): boolean {
  const sinceThen = made.filter((backup) => takenAt(backup) >= lastTime.getTime());
  if (sinceThen.some(isRight)) return false;
  const [latest] = sinceThen;
  return !latest || (sinceThen.length < MOST_OF_A_TIME && now.getTime() >= takenAt(latest) + RETRY_MS);
}

/**
 * What the schedule has made and keeps no longer, the oldest first, and what was never finished. Never what is left to restore from: a backup
 * goes only where another one that stays was found right. The one that was tried last stays too, until another was: it is known to restore, and
 * says when that was.
 */
function toDelete({ plan, backups, now }: ScheduleState): KnownBackup[] {
  const { keep, keepDays = Infinity } = plan;
  const tried = lastTried(backups);
  let kept = 0;
  const old = scheduledOf(backups).filter((backup) => {
    if (backup === tried) return false;
    if (kept >= keep || now.getTime() - takenAt(backup) > keepDays * DAY_MS) return true;
    if (isRight(backup)) kept++;
    return false;
  });
  const gone = new Set<KnownBackup>();
  for (const backup of old.toReversed())
    if (backups.some((other) => other !== backup && !gone.has(other) && isProved(other))) gone.add(backup);
  const unfinished = backups.filter(
    ({ name, manifest }) => manifest === undefined && now.getTime() - timeOfName(name).getTime() > UNFINISHED_MS,
  );
  return [...gone, ...unfinished];
}

/** The backup that was tried last, and restored right. */
function lastTried(backups: readonly KnownBackup[]): KnownBackup | undefined {
  const tried = backups.filter((backup) => isRight(backup) && triedAt(backup) > 0);
  return tried.toSorted((a, b) => triedAt(b) - triedAt(a))[0];
}

function triedAt({ history }: KnownBackup): number {
  return Date.parse(history.drilledAt ?? '') || 0;
}

/** Those that the schedule made and finished. */
export function scheduledOf(backups: readonly KnownBackup[]): Whole[] {
  return backups.filter(
    (backup): backup is Whole => typeof backup.manifest === 'object' && backup.manifest.by === SCHEDULE,
  );
}

/** Whether nothing wrong is known of a backup. */
export function isRight({ manifest, history }: KnownBackup): boolean {
  return typeof manifest === 'object' && (history.problems ?? []).length === 0;
}

/** Whether it was looked at whole as well. */
function isProved(backup: KnownBackup): boolean {
  const { checkedAt, drilledAt } = backup.history;
  return isRight(backup) && (checkedAt ?? drilledAt) !== undefined;
}

/** When its snapshot was taken. */
export function takenAt({ manifest }: { readonly manifest: Manifest }): number {
  return Date.parse(manifest.takenAt);
}
