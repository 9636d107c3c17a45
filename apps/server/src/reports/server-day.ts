import type { PeriodGrain } from '@drawhouse/contract/reports/turnover';
import { addDays, dayOf, dayStart, instantAt, mod, wallClock, type WallClock } from '@drawhouse/rules/time/zone-days';
import { CallError } from '../platform/http/http-errors.ts';
import { type Period, periodBetween } from '../platform/time/clock.ts';
import { REPORT_TEXTS } from './reports-texts.ts';

export interface ServerDay extends Period {
  readonly day: string;
}

interface Calendar {
  readonly at: Date;
  readonly timeZone: string;
}

/** Accepts a day, an instant, or nothing for today (`dayOrInstant` in the contract). */
export function serverDay({ at, timeZone }: Calendar, date: string | undefined): ServerDay {
  const day = dayOf(date ?? at, timeZone);
  return { day, from: dayStart(day, timeZone), until: dayStart(addDays(day, 1), timeZone) };
}

/** Default: the server's today, returned with `day`. */
export function periodOrToday({
  query: { startDate, endDate },
  ...calendar
}: Calendar & { query: Partial<Record<'startDate' | 'endDate', string>> }): Period & { readonly day?: string } {
  if (startDate === undefined && endDate === undefined) return serverDay(calendar, undefined);
  if (startDate === undefined || endDate === undefined)
    throw new CallError('INVALID_INPUT', {
      fields: { [startDate === undefined ? 'startDate' : 'endDate']: REPORT_TEXTS.bothDates },
    });
  return periodBetween({ startDate, endDate });
}

export function aboutPeriod({ day }: { readonly day?: string }, timeZone: string): { Interval?: string } {
  return day === undefined ? {} : { Interval: `${day} of ${timeZone}` };
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Up to two days, plus one daylight-saving hour. */
const BY_HOUR_MS = 2 * DAY_MS + HOUR_MS;
const BY_DAY_MS = 62 * DAY_MS + HOUR_MS;

/**
 * Splits at hours, days or months of a time zone, by length. `ends` includes both ends of the period, so buckets
 * neither overlap nor leave gaps.
 */
export function bucketsOf({ from, until }: Period, timeZone: string): { grain: PeriodGrain; ends: readonly Date[] } {
  const lengthMs = until.getTime() - from.getTime();
  const grain = lengthMs <= BY_HOUR_MS ? 'hour' : lengthMs <= BY_DAY_MS ? 'day' : 'month';
  const ends = [from];
  const wallOf = wallClock(timeZone);
  for (let next = nextBegin(from, grain, wallOf); next < until; next = nextBegin(next, grain, wallOf)) ends.push(next);
  return { grain, ends: [...ends, until] };
}

/** `until`: same time of day as now. `next`: start of the following day. */
export interface Day extends Period {
  readonly next: Date;
}

/** Local day, across daylight-saving changes. */
export function dayBefore(at: Date, days: number, timeZone: string): Day {
  const wallOf = wallClock(timeZone);
  const wall = wallOf(at) - days * DAY_MS;
  const midnight = wall - mod(wall, DAY_MS);
  // Repeated local times mean the later one only if that is now.
  const same = days === 0 ? at : instantAt(wall, wallOf);
  return {
    from: instantAt(midnight, wallOf),
    // Includes the current millisecond.
    until: new Date(same.getTime() + 1),
    next: instantAt(midnight + DAY_MS, wallOf),
  };
}

function nextBegin(after: Date, grain: PeriodGrain, wallOf: WallClock): Date {
  const wall = wallOf(after);
  // Counts elapsed hours, so repeated ones appear twice.
  if (grain === 'hour') return new Date(after.getTime() + HOUR_MS - mod(wall, HOUR_MS));
  const at = new Date(wall);
  const nextWall =
    grain === 'day'
      ? Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1)
      : Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
  const found = instantAt(nextWall, wallOf);
  // A repeated midnight may precede `after`.
  return found > after ? found : new Date(after.getTime() + HOUR_MS);
}
