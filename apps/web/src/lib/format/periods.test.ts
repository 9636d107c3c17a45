import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { addDays } from '@drawhouse/rules/time/zone-days';
import { setDayZone } from './serverDays.ts';
import {
  DATE_RANGE,
  dayOf,
  instantsOf,
  PERIODS,
  periodDays,
  readDay,
  resolvePeriod,
  TODAY,
  type PeriodId,
} from './periods.ts';

/** The server's zone overrides the device's. */
beforeEach(() => {
  vi.stubEnv('TZ', 'America/Los_Angeles');
  setDayZone('Europe/Berlin');
});
afterEach(() => {
  vi.unstubAllEnvs();
  setDayZone(undefined);
});

describe('the eight periods on an ordinary Friday', () => {
  const today = '2026-11-20';
  const expected: [PeriodId, string, string][] = [
    [1, '2026-05-20', '2026-11-20'],
    [2, '2026-11-01', '2026-11-20'],
    [3, '2026-10-01', '2026-10-31'],
    [4, '2026-11-13', '2026-11-19'],
    [5, '2026-11-15', '2026-11-20'],
    [6, '2026-11-19', '2026-11-19'],
    [7, '2026-11-20', '2026-11-20'],
    [8, '2026-11-20', '2026-11-20'],
  ];
  test.each(expected)('period %i', (period, from, to) => {
    expect(periodDays(period, today)).toEqual({ from, to });
  });

  test("the buttons follow the specification's order", () => {
    expect(PERIODS.map((period) => period.label)).toEqual([
      'Last 6 Months',
      'Current Month',
      'Last Month',
      'Last Week',
      'Current Week',
      'Yesterday',
      'Today',
      'Date Range',
    ]);
  });
});

describe('edges of months, weeks and years', () => {
  test.each([
    ['2026-08-31', '2026-02-28'],
    ['2028-08-31', '2028-02-29'],
    ['2026-03-31', '2025-09-30'],
    ['2026-01-15', '2025-07-15'],
  ])('6 months before %s is %s', (today, from) => {
    expect(periodDays(1, today).from).toBe(from);
  });

  test('last month of 31 March is the whole of February', () => {
    expect(periodDays(3, '2028-03-31')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
  });

  test('last month of January is in the previous year', () => {
    expect(periodDays(3, '2026-01-01')).toEqual({ from: '2025-12-01', to: '2025-12-31' });
  });

  test('on a Sunday the week begins today', () => {
    expect(periodDays(5, '2026-11-22')).toEqual({ from: '2026-11-22', to: '2026-11-22' });
  });

  test('on a Saturday the week began six days ago', () => {
    expect(periodDays(5, '2026-01-03')).toEqual({ from: '2025-12-28', to: '2026-01-03' });
  });

  test('last week spans the turn of the year', () => {
    expect(periodDays(4, '2026-01-03')).toEqual({ from: '2025-12-27', to: '2026-01-02' });
  });
});

describe('days as instants', () => {
  test('a day is 24 hours less a millisecond', () => {
    expect(instantsOf({ from: '2026-11-20', to: '2026-11-20' })).toEqual({
      startDate: '2026-11-19T23:00:00.000Z',
      endDate: '2026-11-20T22:59:59.999Z',
    });
  });

  test('the day on which clocks go forward has 23 hours', () => {
    expect(instantsOf({ from: '2026-03-29', to: '2026-03-29' })).toEqual({
      startDate: '2026-03-28T23:00:00.000Z',
      endDate: '2026-03-29T21:59:59.999Z',
    });
  });

  test('the day on which clocks go back has 25 hours', () => {
    expect(instantsOf({ from: '2026-10-25', to: '2026-10-25' })).toEqual({
      startDate: '2026-10-24T22:00:00.000Z',
      endDate: '2026-10-25T22:59:59.999Z',
    });
  });

  test('a skipped midnight: the day starts at its first instant', () => {
    setDayZone('America/Santiago');
    const { startDate, endDate } = instantsOf({ from: '2025-09-07', to: '2025-09-07' });
    expect(startDate).toBe('2025-09-07T04:00:00.000Z');
    expect(endDate).toBe('2025-09-08T02:59:59.999Z');
  });

  test('the hour before a repeated midnight belongs to the day', () => {
    setDayZone('America/Santiago');
    const saturday = instantsOf({ from: '2026-04-04', to: '2026-04-04' });
    const sunday = instantsOf({ from: '2026-04-05', to: '2026-04-05' });
    expect(Date.parse(sunday.startDate) - Date.parse(saturday.endDate)).toBe(1);
    expect(Date.parse(saturday.endDate) - Date.parse(saturday.startDate)).toBe(25 * 3_600_000 - 1);
  });

  test('a repeated midnight: the day starts with the first', () => {
    setDayZone('America/Havana');
    expect(instantsOf({ from: '2026-11-01', to: '2026-11-01' })).toEqual({
      startDate: '2026-11-01T04:00:00.000Z',
      endDate: '2026-11-02T04:59:59.999Z',
    });
  });

  test.each(['Europe/Berlin', 'America/Havana', 'Atlantic/Azores', 'Africa/Cairo'])(
    'days of %s are contiguous throughout a year',
    (zone) => {
      setDayZone(zone);
      let day = '2026-01-01';
      for (let i = 0; i < 365; i += 1) {
        const next = addDays(day, 1);
        const { startDate, endDate } = instantsOf({ from: day, to: day });
        expect([dayOf(new Date(startDate)), dayOf(new Date(endDate))]).toEqual([day, day]);
        expect(Date.parse(instantsOf({ from: next, to: next }).startDate) - Date.parse(endDate)).toBe(1);
        day = next;
      }
    },
  );

  test('an invalid range is refused', () => {
    expect(() => instantsOf({ from: 'x', to: '2026-01-01' })).toThrow(RangeError);
  });
});

describe('days in the address', () => {
  test.each([
    ['2026-02-28', '2026-02-28'],
    ['2026-02-30', null],
    ['2026-13-01', null],
    ['', null],
    ['yesterday', null],
    [undefined, null],
    [20_261_120, null],
    ['2026-11-19T23:00:00.000Z', '2026-11-20'],
    ['2026-11-19T99:00:00.000Z', null],
  ])('%s is %s', (text, day) => {
    expect(readDay(text)).toBe(day);
  });
});

describe('the meaning of an address', () => {
  const day = '2026-11-20';
  const today = { from: '2026-11-20', to: '2026-11-20' };

  test('nothing is today', () => {
    expect(resolvePeriod({}, day)).toEqual({ range: today, period: TODAY });
  });

  test('a period alone is that period as of now', () => {
    expect(resolvePeriod({ period: 6 }, day)).toEqual({ range: { from: '2026-11-19', to: '2026-11-19' }, period: 6 });
  });

  test('an unknown period is today', () => {
    expect(resolvePeriod({ period: 9 }, day).period).toBe(TODAY);
  });

  test('days override the period, which is marked only if it still covers them', () => {
    const days = { startDate: '2026-11-15', endDate: '2026-11-20' };
    expect(resolvePeriod({ ...days, period: 5 }, day)).toEqual({
      range: { from: days.startDate, to: days.endDate },
      period: 5,
    });
    expect(resolvePeriod({ ...days, period: 6 }, day).period).toBe(DATE_RANGE);
    expect(resolvePeriod(days, day).period).toBe(DATE_RANGE);
  });

  test.each([
    [{ startDate: 'nonsense', endDate: '2026-11-20' }],
    [{ startDate: '2026-11-20' }],
    [{ startDate: '2026-11-20', endDate: '2026-11-01', period: 3 }],
  ])('invalid days fall back to today', (search) => {
    expect(resolvePeriod(search, day)).toEqual({ range: today, period: TODAY });
  });
});
