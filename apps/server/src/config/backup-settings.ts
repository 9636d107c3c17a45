import { instantAt, wallClock } from '@drawhouse/rules/time/zone-days';

const DAY_MS = 86_400_000;
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

export interface BackupPlan {
  /** 0 is Sunday. Undefined: every day. */
  readonly weekday: number | undefined;
  /** Time of day. */
  readonly atMs: number;
  readonly keep: number;
  /** Maximum age in days. Undefined: no limit. */
  readonly keepDays: number | undefined;
}

/** `daily`, `daily 03:30`, `weekly` or `weekly sunday 03:30`. */
const PLAN = new RegExp(
  `^(?:(?<daily>daily)|weekly(?: (?<weekday>${WEEKDAYS.join('|')}))?)(?: (?<time>[0-2]?\\d:[0-5]\\d))?$`,
);
const USUAL_TIME = '04:00';
const USUAL_KEEP = 7;

/** Undefined if off. Throws an Error with a correction, also for retention without a schedule. */
export function readBackupPlan(
  schedule: string,
  { keep, keepDays }: { keep: number | undefined; keepDays: number | undefined },
): BackupPlan | undefined {
  if (schedule === 'off') {
    if (keep === undefined && keepDays === undefined) return undefined;
    throw new Error(
      `${keep === undefined ? 'BACKUP_KEEP_DAYS' : 'BACKUP_KEEP'} needs BACKUP_SCHEDULE, which schedules backups.`,
    );
  }
  const { daily, weekday = WEEKDAYS[0], time = USUAL_TIME } = PLAN.exec(schedule.toLowerCase())?.groups ?? { time: '' };
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  if (time === '' || hours > 23)
    throw new Error(
      'BACKUP_SCHEDULE must be off, daily or weekly, with an optional time: daily 03:30, or weekly sunday 03:30.',
    );
  return {
    weekday: daily === undefined ? WEEKDAYS.indexOf(weekday as (typeof WEEKDAYS)[number]) : undefined,
    atMs: (hours * 60 + minutes) * 60_000,
    keep: keep ?? USUAL_KEEP,
    keepDays,
  };
}

export function lastTimeOf({ weekday, atMs }: BackupPlan, at: Date, timeZone: string): Date {
  const wallOf = wallClock(timeZone);
  const wall = wallOf(at);
  const midnight = wall - (wall % DAY_MS);
  const dayAgo = (days: number): number => midnight - days * DAY_MS;
  const isOn = (day: number): boolean => weekday === undefined || new Date(day).getUTCDay() === weekday;
  for (let days = 0; ; days++) {
    const time = instantAt(dayAgo(days) + atMs, wallOf);
    if (isOn(dayAgo(days)) && time <= at) return time;
  }
}
