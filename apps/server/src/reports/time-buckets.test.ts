import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bucketsOf, dayBefore } from './server-day.ts';

const period = (from: string, until: string) => ({ from: new Date(from), until: new Date(until) });
const iso = (ends: readonly Date[]): string[] => ends.map((end) => end.toISOString().slice(0, 16));

it('splits a day by its hours, including repeated ones', () => {
  const { grain, ends } = bucketsOf(period('2025-10-25T22:00Z', '2025-10-26T23:00Z'), 'Europe/Berlin');
  expect(grain).toBe('hour');
  expect(ends).toHaveLength(26);
  const half = bucketsOf(period('2025-11-20T18:30Z', '2025-11-21T18:30Z'), 'Asia/Kolkata');
  expect(iso(half.ends.slice(0, 3))).toEqual(['2025-11-20T18:30', '2025-11-20T19:30', '2025-11-20T20:30']);
});

it('cuts at midnights of the time zone, including skipped or repeated ones', () => {
  const spring = bucketsOf(period('2025-03-28T23:00Z', '2025-03-31T22:00Z'), 'Europe/Berlin');
  expect(spring.grain).toBe('day');
  expect(iso(spring.ends)).toEqual(['2025-03-28T23:00', '2025-03-29T23:00', '2025-03-30T22:00', '2025-03-31T22:00']);
  // Clocks in Beirut jump from 00:00 to 01:00, in Havana from 01:00 back to 00:00.
  const beirut = bucketsOf(period('2024-03-29T22:00Z', '2024-04-01T21:00Z'), 'Asia/Beirut');
  expect(iso(beirut.ends)).toEqual(['2024-03-29T22:00', '2024-03-30T22:00', '2024-03-31T21:00', '2024-04-01T21:00']);
  const havana = bucketsOf(period('2024-11-02T04:00Z', '2024-11-05T05:00Z'), 'America/Havana');
  expect(havana.ends.at(-2)!.toISOString()).toBe('2024-11-04T05:00:00.000Z');
});

it('cuts half a year at month starts, keeping partial ends', () => {
  const { grain, ends } = bucketsOf(period('2025-05-21T22:00Z', '2025-11-20T23:00Z'), 'Europe/Berlin');
  expect(grain).toBe('month');
  expect(iso(ends)).toEqual([
    '2025-05-21T22:00',
    ...['05-31T22:00', '06-30T22:00', '07-31T22:00', '08-31T22:00', '09-30T22:00', '10-31T23:00'].map(
      (end) => `2025-${end}`,
    ),
    '2025-11-20T23:00',
  ]);
});

const dayIn = (at: string, days: number, timeZone: string): string[] => {
  const { from, until, next } = dayBefore(new Date(at), days, timeZone);
  return [from, until, next].map((each) => each.toISOString());
};

it('finds the same time of day on another day by its clock', () => {
  expect(dayIn('2026-03-10T20:00:00.123Z', 0, 'Asia/Kolkata')).toEqual([
    '2026-03-10T18:30:00.000Z',
    '2026-03-10T20:00:00.124Z',
    '2026-03-11T18:30:00.000Z',
  ]);
  expect(dayIn('2026-03-10T20:00:00.000Z', 7, 'America/New_York')).toEqual([
    '2026-03-03T05:00:00.000Z',
    '2026-03-03T21:00:00.001Z',
    '2026-03-04T05:00:00.000Z',
  ]);
  expect(dayIn('2026-03-09T12:00:00.000Z', 1, 'America/New_York')[2]).toBe('2026-03-09T04:00:00.000Z');
});

it('distinguishes a repeated hour and skips a missing one', () => {
  // New York repeats 01:00: 05:30Z and 06:30Z both show 01:30.
  for (const at of ['2026-11-01T05:30:00.000Z', '2026-11-01T06:30:00.000Z'])
    expect(dayIn(at, 0, 'America/New_York').slice(0, 2)).toEqual([
      '2026-11-01T04:00:00.000Z',
      at.replace('.000Z', '.001Z'),
    ]);
  expect(dayIn('2024-03-31T21:30:00.000Z', 1, 'Asia/Beirut')).toEqual([
    '2024-03-30T22:00:00.000Z',
    '2024-03-30T22:00:00.001Z',
    '2024-03-31T21:00:00.000Z',
  ]);
});

it('assigns any instant to its day in any time zone', () => {
  const zones = ['UTC', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/Havana', 'Pacific/Apia', 'Asia/Beirut'];
  const instant = fc.date({ min: new Date('2000-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(instant, fc.constantFrom(0, 1, 7), fc.constantFrom(...zones), (at, days, zone) => {
      const { from, until, next } = dayBefore(at, days, zone);
      // Apia once skipped a whole day.
      expect(from < until && from <= next).toBe(true);
      if (days === 0) expect(from <= at && at < next).toBe(true);
    }),
    { numRuns: 500 },
  );
});

it('covers every instant exactly once in any time zone', () => {
  const zones = ['UTC', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/Havana', 'Pacific/Apia', 'Africa/Monrovia'];
  const instant = fc.date({ min: new Date('2000-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(instant, fc.integer({ min: 0, max: 400 * 86_400_000 }), fc.constantFrom(...zones), (from, ms, zone) => {
      const until = new Date(from.getTime() + ms);
      const { ends } = bucketsOf({ from, until }, zone);
      expect([ends[0], ends.at(-1)]).toEqual([from, until]);
      for (const [index, end] of ends.slice(1, -1).entries()) expect(end > ends[index]! && end < until).toBe(true);
      expect(ends.length).toBeLessThan(70);
    }),
    { numRuns: 300 },
  );
});
