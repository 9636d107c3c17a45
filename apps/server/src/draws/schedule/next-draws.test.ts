import { expect, it } from 'vitest';
import { clockTimes } from './next-draws.ts';

const ZONE = 'Asia/Kolkata';
const times = (opensAt: string, closesAt: string) => clockTimes(new Date(opensAt), new Date(closesAt), ZONE);

it('draw times are in one time zone, all AM or all PM', () => {
  expect(times('2026-11-22T05:30:00Z', '2026-11-22T05:30:55Z')).toEqual({
    timeopen: '11:00:00',
    timeclose: '11:00:55',
    ampm: 'AM',
  });
});

it('a draw never appears to end before it starts', () => {
  expect(times('2026-11-22T06:00:00Z', '2026-11-22T06:59:55Z')).toMatchObject({ timeopen: '11:30:00 AM', ampm: 'PM' });
  // Same half-day on the clock, next day.
  expect(times('2026-11-22T00:00:00Z', '2026-11-22T23:59:55Z')).toEqual({
    timeopen: 'Nov 22, 05:30:00 AM',
    timeclose: '05:29:55',
    ampm: 'AM',
  });
});
