import type { PeriodGrain } from '@drawhouse/contract/reports/turnover';
import type { Period } from '../period.ts';
import { instantAt, mod, wallClock } from '@drawhouse/rules/zone-days';
import type { WallClock } from '@drawhouse/rules/zone-days';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Up to two days are shown by the hour, one of which clocks may put in. */
const BY_HOUR_MS = 2 * DAY_MS + HOUR_MS;
/** Up to two months are shown by the day. */
const BY_DAY_MS = 62 * DAY_MS + HOUR_MS;

/**
 * Cuts a period where hours, days or months begin in a time zone, as fits its length. `ends` are the instants between which the buckets lie,
 * those of the period first and last, so that nothing is left out and nothing is in two.
 */
export function bucketsOf({ from, until }: Period, timeZone: string): { grain: PeriodGrain; ends: readonly Date[] } {
  const lengthMs = until.getTime() - from.getTime();
  const grain = lengthMs <= BY_HOUR_MS ? 'hour' : lengthMs <= BY_DAY_MS ? 'day' : 'month';
  const ends = [from];
  const wallOf = wallClock(timeZone);
  for (let next = nextBegin(from, grain, wallOf); next < until; next = nextBegin(next, grain, wallOf)) ends.push(next);
  return { grain, ends: [...ends, until] };
}

/** A day of a reader: its beginning, the same time of day as now, and the beginning of the next. */
export interface Day extends Period {
  readonly next: Date;
}

/**
 * The day that lies so many days before the one of an instant, by the clocks of a time zone: also where those were put forward or back
 * meanwhile.
 */
export function dayBefore(at: Date, days: number, timeZone: string): Day {
  const wallOf = wallClock(timeZone);
  const wall = wallOf(at) - days * DAY_MS;
  const midnight = wall - mod(wall, DAY_MS);
  // What clocks show twice is the later one only where that is now.
  const same = days === 0 ? at : instantAt(wall, wallOf);
  return {
    from: instantAt(midnight, wallOf),
    // What happens in this very millisecond counts.
    until: new Date(same.getTime() + 1),
    next: instantAt(midnight + DAY_MS, wallOf),
  };
}

/** When the next hour, day or month begins after an instant. */
function nextBegin(after: Date, grain: PeriodGrain, wallOf: WallClock): Date {
  const wall = wallOf(after);
  // Hours are counted as they pass, so that one that clocks repeat comes twice.
  if (grain === 'hour') return new Date(after.getTime() + HOUR_MS - mod(wall, HOUR_MS));
  const at = new Date(wall);
  const wanted =
    grain === 'day'
      ? Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1)
      : Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
  const found = instantAt(wanted, wallOf);
  // A midnight that clocks repeat may lie before what it is sought after.
  return found > after ? found : new Date(after.getTime() + HOUR_MS);
}
