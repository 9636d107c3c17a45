import { addFigures, balanceAfter, NO_FIGURES, USUAL_TERMS, weekStart } from '@drawhouse/rules/records/week-balance';
import type { Weekday, WeekFigures } from '@drawhouse/rules/records/week-balance';
import { addDays, dayOf, dayStart } from '@drawhouse/rules/time/zone-days';
import type { Queryable } from '../platform/db/database.ts';
import { readFigures } from './week-figures.sql.ts';
import type { Days, Siblings } from './week-figures.sql.ts';

export interface WeekCalendar {
  readonly at: Date;
  readonly timeZone: string;
  readonly firstWeekday: Weekday;
}

export interface Week extends Days {
  readonly today: string;
}

/** Week that contains a day, by default today. */
export function weekOf({ at, timeZone, firstWeekday }: WeekCalendar, day: string | undefined): Week {
  const today = dayOf(at, timeZone);
  const from = weekStart(day ?? today, firstWeekday);
  return { from, to: addDays(from, 6), today };
}

/** As in answers, with the instants that other reports filter by. */
export function aboutWeek(week: Week, timeZone: string) {
  return {
    ...week,
    startDate: dayStart(week.from, timeZone).toISOString(),
    endDate: new Date(dayStart(addDays(week.to, 1), timeZone).getTime() - 1).toISOString(),
  };
}

export interface DayOfWeek {
  readonly day: string;
  readonly figures: WeekFigures;
  /** At the end of the day. */
  readonly balance: bigint;
}

/** One week of one account. */
export interface AccountWeek {
  readonly days: readonly DayOfWeek[];
  readonly figures: WeekFigures;
  readonly balance: bigint;
}

/** Weeks of siblings, by account. Days after today have no rows. */
export async function readWeeks(
  on: Queryable,
  siblings: Siblings,
  week: Week,
  timeZone: string,
): Promise<ReadonlyMap<string, AccountWeek>> {
  const figures = await readFigures(on, siblings, week, timeZone);
  return new Map(siblings.ids.map((id) => [id, weekFrom(week, figures.get(id))]));
}

function weekFrom({ from, to, today }: Week, byDay: ReadonlyMap<string, WeekFigures> | undefined): AccountWeek {
  const days: DayOfWeek[] = [];
  let sum = NO_FIGURES;
  for (let day = from; day <= to && day <= today; day = addDays(day, 1)) {
    const figures = byDay?.get(day) ?? NO_FIGURES;
    sum = addFigures(sum, figures);
    days.push({ day, figures, balance: balanceAfter(0n, sum, USUAL_TERMS) });
  }
  return { days, figures: sum, balance: balanceAfter(0n, sum, USUAL_TERMS) };
}
