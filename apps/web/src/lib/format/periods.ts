import { addDays, dayOf as dayIn, dayStart } from '@drawhouse/rules/time/zone-days';
import { dayZone } from './serverDays.ts';
import { useSyncExternalStore } from 'react';
import { formatTexts } from '../libTexts.ts';

export const PERIODS = [
  { id: 1, label: 'Last 6 Months' },
  { id: 2, label: formatTexts.currentMonth },
  { id: 3, label: formatTexts.lastMonth },
  { id: 4, label: formatTexts.lastWeek },
  { id: 5, label: formatTexts.currentWeek },
  { id: 6, label: formatTexts.yesterday },
  { id: 7, label: formatTexts.today },
  { id: 8, label: formatTexts.dateRange },
] as const;

/** Position among the buttons, used in the URL. */
export type PeriodId = (typeof PERIODS)[number]['id'];

export const YESTERDAY: PeriodId = 6;
export const TODAY: PeriodId = 7;
export const LAST_6_MONTHS: PeriodId = 1;
export const DATE_RANGE: PeriodId = 8;

/** Day in the server's time zone: `2026-01-31`. */
export type Day = string;

/** Both days are inclusive. */
export interface DayRange {
  from: Day;
  to: Day;
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

export function dayOf(instant: Date): Day {
  return dayIn(instant, dayZone());
}

function isDay(text: string): boolean {
  const [, year, month, date] = DAY.exec(text)?.map(Number) ?? [];
  if (year === undefined || year < 1970) return false;
  const made = new Date(Date.UTC(year, month! - 1, date));
  return made.getUTCMonth() === month! - 1 && made.getUTCDate() === date;
}

export function readDay(text: unknown): Day | null {
  if (typeof text !== 'string') return null;
  if (isDay(text)) return text;
  if (!/^\d{4}-\d{2}-\d{2}T/.test(text)) return null;
  const instant = new Date(text);
  if (Number.isNaN(instant.getTime()) || instant.getTime() < 0) return null;
  return dayOf(instant);
}

function monthEnd(day: Day, months: number, end: 'first' | 'last'): Day {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1];
  const wanted = end === 'first' ? ([month + months, 1] as const) : ([month + months + 1, 0] as const);
  return new Date(Date.UTC(year, ...wanted)).toISOString().slice(0, 10);
}

/** Clamps to the month's last day: 31 August less 6 is 28 February. */
function monthsBefore(day: Day, months: number): Day {
  const last = monthEnd(day, -months, 'last');
  const same = `${last.slice(0, 8)}${day.slice(8)}`;
  return same < last ? same : last;
}

/** 0 is Sunday. */
function weekdayOf(day: Day): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

export function periodDays(period: PeriodId, today: Day): DayRange {
  switch (period) {
    case 1:
      return { from: monthsBefore(today, 6), to: today };
    case 2:
      return { from: monthEnd(today, 0, 'first'), to: today };
    case 3:
      return { from: monthEnd(today, -1, 'first'), to: monthEnd(today, -1, 'last') };
    case 4:
      return { from: addDays(today, -7), to: addDays(today, -1) };
    case 5:
      return { from: addDays(today, -weekdayOf(today)), to: today };
    case 6:
      return { from: addDays(today, -1), to: addDays(today, -1) };
    case 7:
    case 8:
      return { from: today, to: today };
  }
}

/** Includes the last millisecond. ISO 8601 in UTC. */
export function instantsOf(range: DayRange): { startDate: string; endDate: string } {
  if (!isDay(range.from) || !isDay(range.to)) throw new RangeError(`Not a range of days: ${range.from} to ${range.to}`);
  const end = dayStart(addDays(range.to, 1), dayZone()).getTime() - 1;
  return { startDate: dayStart(range.from, dayZone()).toISOString(), endDate: new Date(end).toISOString() };
}

export interface PeriodSearch {
  period?: number | undefined;
  startDate?: string | undefined;
  endDate?: string | undefined;
}

export function readPeriod(value: unknown): PeriodId | null {
  return PERIODS.find((period) => period.id === Number(value))?.id ?? null;
}

/**
 * Explicit days win over the period number, which lights its button only if it matches them. Invalid days, or an end
 * before the start, fall back to `otherwise`.
 */
export function resolvePeriod(
  search: PeriodSearch,
  today: Day,
  otherwise: PeriodId = TODAY,
): { range: DayRange; period: PeriodId } {
  const fallback = { range: periodDays(otherwise, today), period: otherwise };
  const period = readPeriod(search.period);
  if (search.startDate === undefined && search.endDate === undefined) {
    return period === null ? fallback : { range: periodDays(period, today), period };
  }
  const from = readDay(search.startDate);
  const to = readDay(search.endDate);
  if (from === null || to === null || from > to) return fallback;
  const covers = (id: PeriodId): boolean => {
    const days = periodDays(id, today);
    return days.from === from && days.to === to;
  };
  if (period !== null && covers(period)) return { range: { from, to }, period };
  return { range: { from, to }, period: covers(TODAY) ? TODAY : DATE_RANGE };
}

const CHECK_MS = 30_000;

function subscribe(onCheck: () => void): () => void {
  const timer = setInterval(onCheck, CHECK_MS);
  return () => clearInterval(timer);
}

/** Rerenders at midnight in the server's time zone. */
export function useToday(): Day {
  return useSyncExternalStore(subscribe, () => dayOf(new Date()));
}
