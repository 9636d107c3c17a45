/** The periods of reports and statements, in the order of their buttons. */
export const PERIODS = [
  { id: 1, label: 'Last 6 Months' },
  { id: 2, label: 'Current Month' },
  { id: 3, label: 'Last Month' },
  { id: 4, label: 'Last Week' },
  { id: 5, label: 'Current Week' },
  { id: 6, label: 'Yesterday' },
  { id: 7, label: 'Today' },
  { id: 8, label: 'Date Range' },
] as const;

/** The number of a period: its place among the buttons. */
export type PeriodId = (typeof PERIODS)[number]['id'];

/** The period of a fresh report. */
export const TODAY: PeriodId = 7;
/** The longest period. */
export const LAST_6_MONTHS: PeriodId = 1;
/** The period whose two days the user picks. */
export const DATE_RANGE: PeriodId = 8;

/** A local calendar day, written `2026-01-31`. */
export type Day = string;

/** Two local days, both included. */
export interface DayRange {
  from: Day;
  to: Day;
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

function pad(value: number, width = 2): string {
  return String(value).padStart(width, '0');
}

/** The local day of an instant. */
export function dayOf(instant: Date): Day {
  return `${pad(instant.getFullYear(), 4)}-${pad(instant.getMonth() + 1)}-${pad(instant.getDate())}`;
}

/** Year, month (from 0) and day of a text such as `2026-01-31`; `null` where there is no such day. */
function partsOf(day: string): [year: number, month: number, date: number] | null {
  const match = DAY.exec(day);
  if (!match) return null;
  const [year, month, date] = [Number(match[1]), Number(match[2]) - 1, Number(match[3])];
  if (year < 1970) return null;
  const made = new Date(year, month, date, 12);
  return made.getMonth() === month && made.getDate() === date ? [year, month, date] : null;
}

/** A day as it may stand in a link: `2026-01-31`, or an instant in ISO form, whose local day is meant. `null` where it is neither. */
export function readDay(text: unknown): Day | null {
  if (typeof text !== 'string') return null;
  if (partsOf(text)) return text;
  if (!/^\d{4}-\d{2}-\d{2}T/.test(text)) return null;
  const instant = new Date(text);
  if (Number.isNaN(instant.getTime()) || instant.getFullYear() < 1970) return null;
  return dayOf(instant);
}

/** The day some days after (or before, when negative) the local day of `now`. Noon keeps it off the hours that clocks skip. */
function daysFrom(now: Date, days: number): Day {
  return dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 12));
}

/** The same day of the month some months earlier, or that month's last day where it is shorter: 31 August less 6 is 28 February. */
function monthsBefore(now: Date, months: number): Day {
  const lastDay = new Date(now.getFullYear(), now.getMonth() - months + 1, 0, 12).getDate();
  return dayOf(new Date(now.getFullYear(), now.getMonth() - months, Math.min(now.getDate(), lastDay), 12));
}

/** The days that a period covers when the clock says `now`. Date Range starts out as today. */
export function periodDays(period: PeriodId, now: Date): DayRange {
  const today = dayOf(now);
  switch (period) {
    case 1:
      return { from: monthsBefore(now, 6), to: today };
    case 2:
      return { from: dayOf(new Date(now.getFullYear(), now.getMonth(), 1, 12)), to: today };
    case 3:
      return {
        from: dayOf(new Date(now.getFullYear(), now.getMonth() - 1, 1, 12)),
        to: dayOf(new Date(now.getFullYear(), now.getMonth(), 0, 12)),
      };
    case 4:
      return { from: daysFrom(now, -7), to: daysFrom(now, -1) };
    case 5:
      return { from: daysFrom(now, -now.getDay()), to: today };
    case 6:
      return { from: daysFrom(now, -1), to: daysFrom(now, -1) };
    case 7:
    case 8:
      return { from: today, to: today };
  }
}

/** The first and last instant of a range of local days, in ISO UTC: 00:00:00.000 to 23:59:59.999 on the user's own clock. */
export function instantsOf(range: DayRange): { startDate: string; endDate: string } {
  const from = partsOf(range.from);
  const to = partsOf(range.to);
  if (!from || !to) throw new RangeError(`Not a range of days: ${range.from} to ${range.to}`);
  // The last millisecond before the next day begins, because an hour repeated at midnight makes 23:59:59.999 come twice.
  const end = new Date(to[0], to[1], to[2] + 1).getTime() - 1;
  return { startDate: new Date(from[0], from[1], from[2]).toISOString(), endDate: new Date(end).toISOString() };
}

/** What the address says about the time: a period's number, and two days. All of it may be missing or nonsense. */
export interface PeriodSearch {
  period?: number | undefined;
  startDate?: string | undefined;
  endDate?: string | undefined;
}

/** The period with this number, or `null`. */
export function readPeriod(value: unknown): PeriodId | null {
  return PERIODS.find((period) => period.id === Number(value))?.id ?? null;
}

/**
 * The days and the button that an address means. Days given win over the period's number, which then lights its button only where it
 * still covers these days; invalid days, or an end before the start, fall back to `otherwise`.
 */
export function resolvePeriod(
  search: PeriodSearch,
  now: Date,
  otherwise: PeriodId = TODAY,
): { range: DayRange; period: PeriodId } {
  const fallback = { range: periodDays(otherwise, now), period: otherwise };
  const period = readPeriod(search.period);
  if (search.startDate === undefined && search.endDate === undefined) {
    return period === null ? fallback : { range: periodDays(period, now), period };
  }
  const from = readDay(search.startDate);
  const to = readDay(search.endDate);
  if (from === null || to === null || from > to) return fallback;
  const covers = (id: PeriodId): boolean => {
    const days = periodDays(id, now);
    return days.from === from && days.to === to;
  };
  if (period !== null && covers(period)) return { range: { from, to }, period };
  return { range: { from, to }, period: covers(TODAY) ? TODAY : DATE_RANGE };
}
