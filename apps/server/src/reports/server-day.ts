import { addDays, dayOf, dayStart } from '@drawhouse/rules/zone-days';
import { CallError } from '../http/http-errors.ts';
import { periodBetween } from '../period.ts';
import type { Period } from '../period.ts';

/** One day of the server's time zone. */
export interface ServerDay extends Period {
  /** As `2026-01-31`. */
  readonly day: string;
}

/** What tells which time zone's days, and which of them is today. */
interface Calendar {
  readonly at: Date;
  readonly timeZone: string;
}

/** A day by its name, or that of an instant as text (`dayOrInstant` of the contract); of none today. */
export function serverDay({ at, timeZone }: Calendar, date: string | undefined): ServerDay {
  const day = dayOf(date ?? at, timeZone);
  return { day, from: dayStart(day, timeZone), until: dayStart(addDays(day, 1), timeZone) };
}

/**
 * The instants of a query whose period may be left out (`periodOrToday` of the contract): those that it names, else today, a day of the
 * server's, which is given with them. Throws INVALID_INPUT where it names one of them.
 */
export function periodOrToday({
  query: { startDate, endDate },
  ...calendar
}: Calendar & { query: Partial<Record<'startDate' | 'endDate', string>> }): Period & { readonly day?: string } {
  if (startDate === undefined && endDate === undefined) return serverDay(calendar, undefined);
  if (startDate === undefined || endDate === undefined)
    throw new CallError('INVALID_INPUT', {
      fields: { [startDate === undefined ? 'startDate' : 'endDate']: 'Give both startDate and endDate, or neither' },
    });
  return periodBetween({ startDate, endDate });
}

/** What a file says of the interval where a query has named it by a day, or not at all. */
export function aboutPeriod({ day }: { readonly day?: string }, timeZone: string): { Interval?: string } {
  return day === undefined ? {} : { Interval: `${day} of ${timeZone}` };
}
