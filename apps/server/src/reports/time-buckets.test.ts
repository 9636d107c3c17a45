import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bucketsOf } from './time-buckets.ts';

const period = (from: string, until: string) => ({ from: new Date(from), until: new Date(until) });
const iso = (ends: readonly Date[]): string[] => ends.map((end) => end.toISOString().slice(0, 16));

it('shows a day by its hours, those included that clocks repeat', () => {
  const { grain, ends } = bucketsOf(period('2025-10-25T22:00Z', '2025-10-26T23:00Z'), 'Europe/Berlin');
  expect(grain).toBe('hour');
  expect(ends).toHaveLength(26);
  const half = bucketsOf(period('2025-11-20T18:30Z', '2025-11-21T18:30Z'), 'Asia/Kolkata');
  expect(iso(half.ends.slice(0, 3))).toEqual(['2025-11-20T18:30', '2025-11-20T19:30', '2025-11-20T20:30']);
});

it('cuts at midnights of the time zone, also where clocks leave one out or repeat it', () => {
  const spring = bucketsOf(period('2025-03-28T23:00Z', '2025-03-31T22:00Z'), 'Europe/Berlin');
  expect(spring.grain).toBe('day');
  expect(iso(spring.ends)).toEqual(['2025-03-28T23:00', '2025-03-29T23:00', '2025-03-30T22:00', '2025-03-31T22:00']);
  // Clocks in Beirut go from midnight to one o'clock, in Havana back from one o'clock to midnight.
  const beirut = bucketsOf(period('2024-03-29T22:00Z', '2024-04-01T21:00Z'), 'Asia/Beirut');
  expect(iso(beirut.ends)).toEqual(['2024-03-29T22:00', '2024-03-30T22:00', '2024-03-31T21:00', '2024-04-01T21:00']);
  const havana = bucketsOf(period('2024-11-02T04:00Z', '2024-11-05T05:00Z'), 'America/Havana');
  expect(havana.ends.at(-2)!.toISOString()).toBe('2024-11-04T05:00:00.000Z');
});

it('cuts half a year at the first of each month, and keeps what is left at both ends', () => {
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

it('leaves nothing out and nothing in two, in any time zone', () => {
  const zones = ['UTC', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/Havana', 'Pacific/Apia', 'Africa/Monrovia'];
  const instant = fc.date({ min: new Date('2000-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(instant, fc.integer({ min: 0, max: 400 * 86_400_000 }), fc.constantFrom(...zones), (from, ms, zone) => {
      const until = new Date(from.getTime() + ms);
      const { ends } = bucketsOf({ from, until }, zone);
      expect([ends[0], ends.at(-1)]).toEqual([from, until]);
      for (const [place, end] of ends.slice(1, -1).entries()) expect(end > ends[place]! && end < until).toBe(true);
      expect(ends.length).toBeLessThan(70);
    }),
    { numRuns: 300 },
  );
});
