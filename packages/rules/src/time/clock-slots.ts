import { addDays, dayOf, dayStart, instantAt, wallClock } from './zone-days.ts';

export interface DrawTimes {
  readonly number: number;
  readonly opensAt: Date;
  readonly closesAt: Date;
  readonly drawsAt: Date;
}

/** Times as `13:00`, days as `2026-01-31`. */
export interface ClockSchedule {
  readonly times: readonly string[];
  /** 0 is Sunday. */
  readonly weekdays: readonly number[];
  /** Days without draws, whatever their weekday. */
  readonly daysOff: readonly string[];
  /** Days with draws, whatever their weekday. */
  readonly daysOn: readonly string[];
  readonly opensAt: string | null;
  /** In minutes; 0: five seconds. */
  readonly closesBefore: number;
  /** Names by clock time. The house decides the other draws. */
  readonly sources?: Readonly<Record<string, string>>;
  /** Hours until a draw without an outside result is void. */
  readonly voidAfter?: number;
}

/** Leaves out draws of whole days, and between clock times of each day. */
export interface Closures {
  readonly days: readonly string[];
  /** If `to` is not later than `from`, it is on the next day. */
  readonly hours: readonly { readonly from: string; readonly to: string }[];
}

/** Later draws count as none. */
export const HORIZON_DAYS = 400;
const DAY_MS = 86_400_000;
/** Unless a ticket bought ahead opens the draw. */
const LONGEST_BETTING_MS = DAY_MS;
const MINUTE_MS = 60_000;
const SHORTEST_CLOSE_MS = 5_000;
const MOST_INSTANTS = 20_000;

/** Reading a zone's clock costs microseconds, and schedules are read every second. */
const instants = new Map<string, number>();

/** Returns milliseconds. If clocks skip the time, the end of the gap. */
function instantOf(day: string, clock: string, timeZone: string): number {
  const key = `${timeZone} ${day} ${clock}`;
  let at = instants.get(key);
  if (at === undefined) {
    if (instants.size >= MOST_INSTANTS) instants.clear();
    at = instantAt(Date.parse(`${day}T${clock}:00Z`), wallClock(timeZone)).getTime();
    instants.set(key, at);
  }
  return at;
}

/** True if a zone crosses the date line and skips the day, which then has no draws. */
function isSkipped(day: string, timeZone: string): boolean {
  return instantOf(day, '00:00', timeZone) === instantOf(addDays(day, 1), '00:00', timeZone);
}

function hasDraws({ weekdays, daysOff, daysOn }: ClockSchedule, day: string, timeZone: string): boolean {
  if (daysOff.includes(day)) return false;
  const isOn = daysOn.includes(day) || weekdays.includes(new Date(`${day}T00:00:00Z`).getUTCDay());
  return isOn && !isSkipped(day, timeZone);
}

function timesOfDay(schedule: ClockSchedule, day: string, timeZone: string): number[] {
  if (!hasDraws(schedule, day, timeZone)) return [];
  return schedule.times.map((clock) => instantOf(day, clock, timeZone));
}

/** Finds the draw whether or not its betting has opened. Undefined beyond the horizon. */
export function clockSlotAfter(at: Date, schedule: ClockSchedule, timeZone: string): DrawTimes | undefined {
  // The gap of a clock change can move a day's last times into the next.
  const first = addDays(dayOf(at, timeZone), -1);
  for (let days = 0; days <= HORIZON_DAYS; days += 1) {
    const found = timesOfDay(schedule, addDays(first, days), timeZone).find((time) => time > at.getTime());
    if (found !== undefined) return slotOf(found, schedule, timeZone);
  }
  return undefined;
}

function slotOf(drawsAt: number, schedule: ClockSchedule, timeZone: string): DrawTimes {
  const day = dayOf(drawsAt, timeZone);
  const previous = Math.max(lastBefore(drawsAt, schedule, timeZone) ?? 0, drawsAt - LONGEST_BETTING_MS);
  const closeMs = Math.max(schedule.closesBefore * MINUTE_MS, SHORTEST_CLOSE_MS);
  const opening = schedule.opensAt;
  const openings = opening === null ? [] : [day, addDays(day, -1)].map((each) => instantOf(each, opening, timeZone));
  const opened = openings.find((each) => each < drawsAt - closeMs) ?? previous;
  const opensAt = Math.max(previous, opened);
  return {
    number: clockNumber(drawsAt, timeZone),
    opensAt: new Date(opensAt),
    // Times that a clock change brings close together still leave time to bet.
    closesAt: new Date(drawsAt - Math.min(closeMs, Math.floor((drawsAt - opensAt) / 2))),
    drawsAt: new Date(drawsAt),
  };
}

/** Names the source as `National 19:00`. Null: the house draws. */
export function outsideSource(drawsAt: Date, { times, sources = {} }: ClockSchedule, timeZone: string): string | null {
  const day = dayOf(drawsAt, timeZone);
  for (const each of [day, addDays(day, -1)])
    for (const clock of times)
      if (sources[clock] !== undefined && instantOf(each, clock, timeZone) === drawsAt.getTime())
        return `${sources[clock]} ${clock}`;
  return null;
}

function lastBefore(drawsAt: number, schedule: ClockSchedule, timeZone: string): number | undefined {
  const day = dayOf(drawsAt, timeZone);
  const earlier = [day, addDays(day, -1), addDays(day, -2)].flatMap((each) => timesOfDay(schedule, each, timeZone));
  return earlier
    .filter((time) => time < drawsAt)
    .toSorted((a, b) => a - b)
    .at(-1);
}

/** Undefined if open. */
export function closedUntil(at: Date, { days, hours }: Closures, timeZone: string): Date | undefined {
  const day = dayOf(at, timeZone);
  if (days.includes(day)) return dayStart(addDays(day, 1), timeZone);
  for (const { from, to } of hours)
    for (const began of [day, addDays(day, -1)]) {
      const start = instantOf(began, from, timeZone);
      const end = instantOf(to > from ? began : addDays(began, 1), to, timeZone);
      if (start <= at.getTime() && at.getTime() < end) return new Date(end);
    }
  return undefined;
}

/** Writes date and clock time as digits. */
export function clockNumber(at: Date | number, timeZone: string): number {
  return Number(new Date(wallClock(timeZone)(new Date(at))).toISOString().slice(0, 16).replaceAll(/\D/g, ''));
}
