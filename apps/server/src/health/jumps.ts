import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import type { ClockStep } from '../clock.ts';
import type { Queryable } from '../db/database.ts';

/** What has happened, and is over at once, is told for so long: a person who comes in the morning reads of the night. */
const TOLD_FOR_MS = 86_400_000;
const SECOND_MS = 1_000;

const isTold = (at: Date, now: Date): boolean => Math.abs(now.getTime() - at.getTime()) < TOLD_FOR_MS;

/** The last jump of the clock, where it is of the last day. */
export function clockNotices(step: ClockStep | undefined, now: Date): FoundNotice[] {
  if (!step || !isTold(step.at, now)) return [];
  const by = `${Math.round(Math.abs(step.byMs) / SECOND_MS)} seconds`;
  const way = step.byMs < 0 ? `It went back by ${by}.` : `It went forward by ${by}, or the machine slept.`;
  return [{ code: 'CLOCK_STEPPED', since: step.at.toISOString(), detail: way }];
}

/** Notices that PostgreSQL was started again since the first look, whoever runs it. Gives what is to be told of that. */
export function createRestartWatch(): (on: Queryable, now: Date) => Promise<FoundNotice[]> {
  let first: Date | undefined;
  return async (on, now) => {
    const [row] = await on.query<{ at: Date }>('select pg_postmaster_start_time() as at');
    const { at } = row!;
    first ??= at;
    if (at.getTime() === first.getTime() || !isTold(at, now)) return [];
    return [{ code: 'DATABASE_RESTARTED', since: at.toISOString(), detail: 'It ended while this server ran.' }];
  };
}
