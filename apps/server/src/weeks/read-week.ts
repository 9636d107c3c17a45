import { isDeepStrictEqual } from 'node:util';
import {
  addFigures,
  balanceAfter,
  NO_FIGURES,
  weekStart,
  type ClosingMoves,
  type Weekday,
  type WeekFigures,
  type WeekTerms,
} from '@drawhouse/rules/records/week-balance';
import { addDays, dayOf, dayStart } from '@drawhouse/rules/time/zone-days';
import type { Queryable } from '../platform/db/database.ts';
import {
  NO_RECORDS,
  readClosedDays,
  readPairRecords,
  readReopening,
  termsOn,
  withPayments,
  type ClosedDays,
  type Closing,
  type PairRecords,
  type WeekNote,
} from './pair-records.sql.ts';
import { readFigures, type Days, type Siblings } from './week-figures.sql.ts';

export interface WeekCalendar {
  readonly at: Date;
  readonly timeZone: string;
  readonly firstWeekday: Weekday;
}

export interface Week extends Days {
  readonly today: string;
  readonly firstWeekday: Weekday;
}

/** Default: this week. */
export function weekOf({ at, timeZone, firstWeekday }: WeekCalendar, day: string | undefined): Week {
  const today = dayOf(at, timeZone);
  const from = weekStart(day ?? today, firstWeekday);
  return { from, to: addDays(from, 6), today, firstWeekday };
}

/** Includes the instants that other reports filter by. */
export function aboutWeek({ from, to, today }: Week, timeZone: string) {
  return {
    from,
    to,
    today,
    startDate: dayStart(from, timeZone).toISOString(),
    endDate: new Date(dayStart(addDays(to, 1), timeZone).getTime() - 1).toISOString(),
  };
}

interface DayOfWeek {
  readonly day: string;
  readonly figures: WeekFigures;
  /** At the end of the day. */
  readonly balance: bigint;
}

export interface AccountWeek extends Days {
  readonly carried: bigint;
  /** Changes to closed weeks after their closing, for example by a restore. */
  readonly late: bigint;
  readonly lateDays: ClosedDays;
  readonly days: readonly DayOfWeek[];
  readonly figures: WeekFigures;
  readonly balance: bigint;
  readonly terms: WeekTerms;
  readonly termsToday: WeekTerms;
  /** Payments and credit after the week, up to today; below zero, to the account and back. None once it is closed. */
  readonly afterwards: ClosingMoves;
  readonly closing: Closing | undefined;
  readonly notes: readonly WeekNote[];
  /** First day of the account's sheets. Undefined before its first payment, terms or closing. */
  readonly since: string | undefined;
}

/** Keyed by account. Days after today have no rows. */
export async function readWeeks(
  on: Queryable,
  siblings: Siblings,
  week: Week,
  timeZone: string,
): Promise<ReadonlyMap<string, AccountWeek>> {
  return readEach(on, siblings, week, timeZone, (pair) => pair.shown ?? openWeeks(week, pair).at(-1)!);
}

/** Open weeks up to a week, oldest first. Empty if the week is closed. */
export async function readOpenWeeks(
  on: Queryable,
  siblings: Siblings,
  week: Week,
  timeZone: string,
): Promise<ReadonlyMap<string, readonly AccountWeek[]>> {
  return readEach(on, siblings, week, timeZone, (pair) => (pair.shown ? [] : openWeeks(week, pair)));
}

export interface WeekEnd extends Pick<AccountWeek, 'from' | 'balance' | 'notes' | 'terms'> {
  /** Of closed weeks, credit is known for those whose figures may still change. */
  readonly readFigures: () => WeekFigures;
}

export async function readWeekCourses(
  on: Queryable,
  siblings: Siblings,
  week: Week,
  timeZone: string,
): Promise<ReadonlyMap<string, readonly WeekEnd[]>> {
  return readEach(on, siblings, week, timeZone, (pair): WeekEnd[] => {
    const closed = pair.records.closings.filter(({ from }) => from <= week.to);
    const ends = closed.map((closing) => ({
      ...closing,
      notes: notesIn(pair.records, closing),
      terms: closing,
      readFigures: () => sumWeek(closing, 0n, daysOfClosing(pair, closing), closing).figures,
    }));
    const open = pair.shown ? [] : openWeeks(week, pair);
    return [...ends, ...open.map((each) => ({ ...each, readFigures: () => each.figures }))];
  });
}

function daysOfClosing({ records, changeable }: PairWeeks, { id }: Closing): FiguresOn {
  const days = changeable.find((each) => each.id === id)?.days;
  return (day) => withPayments(days?.get(day), records.payments, day);
}

interface PairWeeks {
  readonly records: PairRecords;
  readonly shown: AccountWeek | undefined;
  readonly changeable: readonly ClosedWeek[];
  readonly on: FiguresOn;
}

type ClosedWeek = Closing & { readonly days: ClosedDays };
type CarriedFigures = Pick<ClosedWeek, 'at' | 'days'>;

/** Computes open weeks, but reads closed ones as stored. */
async function readEach<T>(
  on: Queryable,
  siblings: Siblings,
  week: Week,
  timeZone: string,
  read: (pair: PairWeeks) => T,
): Promise<ReadonlyMap<string, T>> {
  const { networkId, ids } = siblings;
  const records = await readPairRecords(on, siblings, timeZone);
  const reopened = await readReopening(on, networkId);
  const pairs = ids.map((id) => {
    const each = records.get(id) ?? NO_RECORDS;
    const closing = closingOf(each, week);
    const changeable = closing ? [] : changeableOf(each, week, reopened);
    return { id, records: each, closing, changeable, from: closing ? undefined : firstDay(each, week, changeable) };
  });
  const needed = pairs.flatMap(({ closing, changeable }) => [...(closing ? [closing] : []), ...changeable]);
  const daysOf = await readClosedDays(
    on,
    networkId,
    needed.map(({ id }) => id),
  );
  const from = pairs.flatMap((pair) => pair.from ?? []).toSorted()[0];
  const to = week.to < week.today ? week.today : week.to;
  const figures = from === undefined ? new Map() : await readFigures(on, siblings, { from, to }, timeZone);
  const withDays = (closing: Closing): ClosedWeek => ({ ...closing, days: daysOf.get(closing.id)! });
  return new Map(
    pairs.map(({ id, records: each, closing, changeable }) => [
      id,
      read({
        records: each,
        shown: closing && closedWeek(week, each, withDays(closing)),
        changeable: changeable.map(withDays),
        on: (day) => withPayments(figures.get(id)?.get(day), each.payments, day),
      }),
    ]),
  );
}

/** Later, only a restore changes figures. Corrections of results are due within one day. */
const SETTLED_AFTER_DAYS = 14;

/** Closed weeks whose figures may differ from what later weeks carry. After a restore of the network: all closed weeks. */
function changeableOf({ closings }: PairRecords, week: Week, reopened: Date | null): readonly Closing[] {
  const closed = closings.filter(({ to }) => to < week.to);
  const last = closed.at(-1);
  if (!last) return [];
  if (reopened && reopened >= last.at) return closed;
  const recentFrom = addDays(week.today, -SETTLED_AFTER_DAYS);
  return closed.filter(({ to }) => to >= recentFrom);
}

function firstDay(records: PairRecords, week: Week, changeable: readonly Closing[]): string {
  return changeable[0]?.from ?? openFrom(records, week);
}

function openFrom(records: PairRecords, week: Week): string {
  const last = records.closings.findLast(({ to }) => to < week.to);
  if (last) return addDays(last.to, 1);
  const since = startOf(records, week);
  return since !== undefined && since <= week.to ? since : week.from;
}

type FiguresOn = (day: string) => WeekFigures;

/** Sheets begin with the week of the first record. Earlier credit and play belong to no balance. */
function startOf({ payments, terms, closings }: PairRecords, { firstWeekday }: Week): string | undefined {
  const paid = [...payments.keys()].map((day) => weekStart(day, firstWeekday));
  return [...paid, ...terms.map((each) => each.from), ...closings.map((each) => each.from)].toSorted()[0];
}

function closingOf({ closings }: PairRecords, week: Week): Closing | undefined {
  return closings.find(({ from, to }) => from <= week.to && week.to <= to);
}

function closedWeek(week: Week, records: PairRecords, closing: ClosedWeek): AccountWeek {
  const { from, to, carried, late, share, commissionWithWeek } = closing;
  const terms = { share, commissionWithWeek };
  const stored: FiguresOn = (day) => closing.days.get(day) ?? NO_FIGURES;
  const since = startOf(records, week);
  return {
    ...sumWeek({ from, to }, carried + late, stored, terms),
    carried,
    late,
    lateDays: NO_DAYS,
    terms,
    termsToday: termsOn(records, weekStart(week.today, week.firstWeekday)),
    afterwards: { received: 0n, given: 0n },
    closing,
    notes: notesIn(records, closing),
    since,
  };
}

const NO_DAYS: ClosedDays = new Map();

function notesIn({ notes }: PairRecords, { from, to }: Days): readonly WeekNote[] {
  return notes.filter((note) => from <= note.from && note.from <= to);
}

/** A week before the account's sheets began has no predecessor. */
function openWeeks(week: Week, { records, changeable, on }: PairWeeks): AccountWeek[] {
  const since = startOf(records, week);
  const last = records.closings.findLast(({ to }) => to < week.to);
  const weeks: AccountWeek[] = [];
  const termsToday = termsOn(records, weekStart(week.today, week.firstWeekday));
  const later = sumDays({ from: addDays(week.to, 1), to: week.today }, on);
  const afterwards = { received: later.received - later.paid, given: later.given - later.taken };
  let carried = last?.balance ?? 0n;
  let { late, lateDays } = readLate(changeable, onUncleared(records, changeable, on));
  for (let from = openFrom(records, week); from <= week.to;) {
    // Shorter than seven days after a change of the first weekday.
    const to = addDays(weekStart(from, week.firstWeekday), 6);
    const terms = termsOn(records, from);
    const shown = { from, to: to < week.today ? to : week.today };
    const summed = sumWeek(shown, carried + late, on, terms);
    const notes = notesIn(records, { from, to });
    const about = { carried, late, lateDays, terms, termsToday, afterwards, notes, since };
    weeks.push({ ...summed, from, to, ...about, closing: undefined });
    carried = summed.balance;
    [late, lateDays] = [0n, NO_DAYS];
    from = addDays(to, 1);
  }
  return weeks;
}

function readLate(closings: readonly ClosedWeek[], on: FiguresOn): Pick<AccountWeek, 'late' | 'lateDays'> {
  const known = carriedFigures(closings);
  const lateDays = new Map<string, WeekFigures>();
  let late = 0n;
  for (const closing of closings) {
    const [now, then] = [on, known].map((each) => balanceAfter(0n, sumDays(closing, each), closing));
    late += now! - then!;
    for (let day = closing.from; day <= closing.to; day = addDays(day, 1))
      if (!isDeepStrictEqual(on(day), known(day))) lateDays.set(day, on(day));
  }
  return { late, lateDays };
}

/** Figures of closed weeks, with changes that later closings added until a time. */
function carriedFigures(closings: readonly CarriedFigures[], until?: Date): FiguresOn {
  const known = until ? closings.filter(({ at }) => at <= until) : closings;
  return (day) => known.findLast(({ days }) => days.has(day))?.days.get(day) ?? NO_FIGURES;
}

/** Credit of cleared days stays as it was carried when they were cleared. */
export function onUncleared(
  { cleared }: Pick<PairRecords, 'cleared'>,
  closings: readonly CarriedFigures[],
  on: FiguresOn,
): FiguresOn {
  const ranges = cleared.map((range) => ({ ...range, carried: carriedFigures(closings, range.at) }));
  return (day) => {
    let figures = on(day);
    for (const { from, to, isCommission, carried } of ranges) {
      if (day < from || day > to) continue;
      const { given, taken, paidOut } = carried(day);
      figures = isCommission ? { ...figures, paidOut } : { ...figures, given, taken };
    }
    return figures;
  };
}

function sumDays({ from, to }: Days, on: FiguresOn): WeekFigures {
  let sum = NO_FIGURES;
  for (let day = from; day <= to; day = addDays(day, 1)) sum = addFigures(sum, on(day));
  return sum;
}

/** Each day's balance sums the week up to it, so the share is rounded as at the week's end. */
function sumWeek(
  { from, to }: Days,
  before: bigint,
  on: FiguresOn,
  terms: WeekTerms,
): Pick<AccountWeek, 'from' | 'to' | 'days' | 'figures' | 'balance'> {
  const days: DayOfWeek[] = [];
  let sum = NO_FIGURES;
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const figures = on(day);
    sum = addFigures(sum, figures);
    days.push({ day, figures, balance: balanceAfter(before, sum, terms) });
  }
  return { from, to, days, figures: sum, balance: balanceAfter(before, sum, terms) };
}
