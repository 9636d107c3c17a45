import { addDays, dayOf, dayStart } from '@drawhouse/rules/time/zone-days';
import { CallError } from '../platform/http/http-errors.ts';
import { periodBetween, type Period } from '../platform/time/period.ts';
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
