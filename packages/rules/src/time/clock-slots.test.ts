import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clockNumber, clockSlotAfter, closedUntil, type ClockSchedule, type Closures } from './clock-slots.ts';
import { drawName } from './draw-name.ts';
import { addDays, dayOf, dayStart, wallClock } from './zone-days.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const ALL_DAYS = [0, 1, 2, 3, 4, 5, 6];
const daily: ClockSchedule = {
  times: ['13:00', '19:00', '21:00'],
  weekdays: ALL_DAYS,
  daysOff: [],
  daysOn: [],
  opensAt: null,
  closesBefore: 0,
};
const hourly = { ...daily, times: Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`) };

function drawsBetween(schedule: ClockSchedule, timeZone: string, from: string, to: string): string[] {
  const found: string[] = [];
  for (let at = new Date(Date.parse(from) - 1); ;) {
    const slot = clockSlotAfter(at, schedule, timeZone);
    if (!slot || slot.drawsAt >= new Date(to)) return found;
    found.push(slot.drawsAt.toISOString());
    at = slot.drawsAt;
  }
}

describe('a schedule', () => {
  it('draws three times a day, not on Sundays, and opens at most a day before', () => {
    const schedule = { ...daily, weekdays: [1, 2, 3, 4, 5, 6] };
    // 1 March 2026 is a Sunday; 13:00 in India is 07:30 UTC.
    expect(drawsBetween(schedule, 'Asia/Kolkata', '2026-02-28T00:00:00Z', '2026-03-03T00:00:00Z')).toEqual([
      '2026-02-28T07:30:00.000Z',
      '2026-02-28T13:30:00.000Z',
      '2026-02-28T15:30:00.000Z',
      '2026-03-02T07:30:00.000Z',
      '2026-03-02T13:30:00.000Z',
      '2026-03-02T15:30:00.000Z',
    ]);
    expect(clockSlotAfter(new Date('2026-03-01T12:00:00Z'), schedule, 'Asia/Kolkata')).toEqual({
      number: 202603021300,
      opensAt: new Date('2026-03-01T07:30:00Z'),
      closesAt: new Date('2026-03-02T07:29:55Z'),
      drawsAt: new Date('2026-03-02T07:30:00Z'),
    });
  });

  it('opens betting at its opening time and closes it minutes before the draw', () => {
    const schedule = { ...daily, opensAt: '09:00', closesBefore: 15 };
    const slots = ['06:00', '13:00', '19:00'].map((clock) => {
      const { opensAt, closesAt } = clockSlotAfter(new Date(`2026-03-02T${clock}:00Z`), schedule, 'UTC')!;
      return [opensAt, closesAt].map((at) => at.toISOString().slice(11, 16)).join(' to ');
    });
    expect(slots).toEqual(['09:00 to 12:45', '13:00 to 18:45', '19:00 to 20:45']);
  });

  it('opens betting the evening before a night draw', () => {
    const schedule = { ...daily, times: ['01:00'], opensAt: '20:00' };
    const { opensAt } = clockSlotAfter(new Date('2026-03-02T23:00:00Z'), schedule, 'UTC')!;
    expect(opensAt.toISOString()).toBe('2026-03-02T20:00:00.000Z');
  });

  it('leaves out single days and adds others', () => {
    const schedule = { ...daily, times: ['13:00'], weekdays: [1], daysOff: ['2026-03-09'], daysOn: ['2026-03-11'] };
    expect(drawsBetween(schedule, 'UTC', '2026-03-01T00:00:00Z', '2026-03-20T00:00:00Z')).toEqual([
      '2026-03-02T13:00:00.000Z',
      '2026-03-11T13:00:00.000Z',
      '2026-03-16T13:00:00.000Z',
    ]);
    expect(clockSlotAfter(new Date(), { ...schedule, weekdays: [], daysOn: [] }, 'UTC')).toBeUndefined();
  });

  it.each([
    ['over the night that has 00:00 twice, an hour without a draw', 'America/Havana', '2026-11-01', 24, 25],
    ['over the night without midnight, whose first two draws are one', 'Asia/Beirut', '2026-03-29', 23, 23],
    ['over a day that the calendar skips', 'Pacific/Apia', '2011-12-30', 0, 0],
    ['on an ordinary day', 'Asia/Kolkata', '2026-03-29', 24, 24],
  ])('draws hourly %s', (_what, timeZone, day, draws, hours) => {
    const [from, to] = [dayStart(day, timeZone), dayStart(addDays(day, 1), timeZone)];
    expect((to.getTime() - from.getTime()) / (60 * MINUTE_MS)).toBe(hours);
    expect(drawsBetween(hourly, timeZone, from.toISOString(), to.toISOString())).toHaveLength(draws);
  });
});

function changesOf(timeZone: string, year: number): string[] {
  const days = Array.from({ length: 365 }, (_, nth) => addDays(`${year}-01-01`, nth));
  return days.filter((day) => {
    const length = dayStart(addDays(day, 1), timeZone).getTime() - dayStart(day, timeZone).getTime();
    return length !== DAY_MS;
  });
}

/** Reads the clock each minute, for the first at or after a time. */
function scan(times: readonly string[], timeZone: string, day: string): number[] {
  const wallOf = wallClock(timeZone);
  const from = Date.parse(`${day}T00:00:00Z`) - DAY_MS;
  const minutes = Array.from({ length: 4 * 1440 }, (_, nth) => from + nth * MINUTE_MS);
  const walls = minutes.map((at) => wallOf(new Date(at)));
  const found = times.map((clock) => {
    const wanted = Date.parse(`${day}T${clock}:00Z`);
    const exact = walls.indexOf(wanted);
    return minutes[exact === -1 ? walls.findIndex((wall) => wall > wanted) : exact]!;
  });
  return [...new Set(found)].toSorted((a, b) => a - b);
}

const ZONES = Intl.supportedValuesOf('timeZone').filter((zone) => changesOf(zone, 2026).length > 0);
const clock = fc
  .integer({ min: 0, max: 1439 })
  .map((minute) => new Date(minute * MINUTE_MS).toISOString().slice(11, 16));
const someTimes = fc
  .uniqueArray(fc.oneof(clock, fc.constantFrom('00:00', '00:30', '01:00', '02:00', '02:30', '23:30')), {
    minLength: 1,
    maxLength: 12,
  })
  .map((times) => times.toSorted());

describe('in every zone whose clocks change', () => {
  it('has each time of the day of a change once, as the clock on the wall shows it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), someTimes, fc.nat(), (timeZone, times, pick) => {
        const changes = changesOf(timeZone, 2026);
        const day = changes[pick % changes.length]!;
        const schedule = { ...daily, times, weekdays: [], daysOn: [day] };
        const days = [addDays(day, -2), addDays(day, 3)].map((each) => dayStart(each, timeZone).toISOString());
        const expected = scan(times, timeZone, day).map((at) => new Date(at).toISOString());
        expect(drawsBetween(schedule, timeZone, days[0]!, days[1]!)).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });

  it('is the same at any instant, in order, with time to bet, and named once', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        someTimes,
        fc.option(clock, { nil: null }),
        fc.constantFrom(0, 1, 30),
        fc.nat(),
        fc.nat(5 * DAY_MS),
        (timeZone, times, opensAt, closesBefore, pick, afterMs) => {
          const changes = changesOf(timeZone, 2026);
          const from = dayStart(changes[pick % changes.length]!, timeZone).getTime() - 2 * DAY_MS;
          const schedule = { ...daily, times, opensAt, closesBefore };
          const next = (at: number | Date) => clockSlotAfter(new Date(at), schedule, timeZone)!;
          const slots = [next(from)];
          while (slots.length < 40) slots.push(next(slots.at(-1)!.drawsAt));
          for (const [index, { opensAt: opens, closesAt, drawsAt }] of slots.entries()) {
            expect(opens < closesAt && closesAt < drawsAt && drawsAt.getTime() - opens.getTime() <= DAY_MS).toBe(true);
            if (index > 0) expect(slots[index - 1]!.drawsAt <= opens).toBe(true);
          }
          expect(new Set(slots.map(({ number }) => number)).size).toBe(slots.length);
          const at = Math.min(from + afterMs, slots.at(-1)!.drawsAt.getTime() - 1);
          expect(next(at)).toEqual(slots.find(({ drawsAt }) => drawsAt.getTime() > at));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('closures', () => {
  const nights: Closures = { days: [], hours: [{ from: '01:00', to: '09:00' }] };
  const until = (at: string, closures = nights, timeZone = 'UTC') =>
    closedUntil(new Date(at), closures, timeZone)?.toISOString();

  it('begin with their first minute and end before their last', () => {
    expect(until('2026-03-02T00:59:59Z')).toBeUndefined();
    expect(until('2026-03-02T01:00:00Z')).toBe('2026-03-02T09:00:00.000Z');
    expect(until('2026-03-02T08:59:59Z')).toBe('2026-03-02T09:00:00.000Z');
    expect(until('2026-03-02T09:00:00Z')).toBeUndefined();
  });

  it('reach over midnight, and over whole days of the zone', () => {
    const late = { days: [], hours: [{ from: '22:00', to: '06:00' }] };
    expect(until('2026-03-02T23:00:00Z', late)).toBe('2026-03-03T06:00:00.000Z');
    expect(until('2026-03-03T05:00:00Z', late)).toBe('2026-03-03T06:00:00.000Z');
    const day = { days: ['2026-03-29'], hours: [] };
    expect(until('2026-03-28T22:00:00Z', day, 'Asia/Beirut')).toBe('2026-03-29T21:00:00.000Z');
    expect(until('2026-03-28T21:59:00Z', day, 'Asia/Beirut')).toBeUndefined();
  });

  it('end at the first of two such times', () => {
    const night = { days: [], hours: [{ from: '23:00', to: '00:30' }] };
    // Havana shows 00:30 at 04:30 and at 05:30 UTC.
    expect(until('2026-11-01T04:10:00Z', night, 'America/Havana')).toBe('2026-11-01T04:30:00.000Z');
    expect(until('2026-11-01T05:10:00Z', night, 'America/Havana')).toBeUndefined();
  });
});

it('names a scheduled draw by its date and clock time, any other by its number', () => {
  const at = new Date('2026-11-01T04:00:00Z');
  expect(clockNumber(at, 'America/Havana')).toBe(202611010000);
  expect(dayOf(at, 'America/Havana')).toBe('2026-11-01');
  expect(drawName(202611010000)).toBe('01 Nov 2026, 00:00');
  expect(drawName(29_552_280)).toBe('29552280');
  expect(drawName(4_102_444_799)).toBe('4102444799');
});
