import { describe, expect, it } from 'vitest';
import { lastTimeOf, readBackupPlan } from './backup-settings.ts';

const NOTHING_MORE = { keep: undefined, keepDays: undefined };
const plan = (given: string) => readBackupPlan(given, NOTHING_MORE)!;

it('a schedule is parsed from few words', () => {
  expect(readBackupPlan('off', NOTHING_MORE)).toBeUndefined();
  const four = 4 * 3_600_000;
  expect(plan('daily')).toEqual({ weekday: undefined, atMs: four, keep: 7, keepDays: undefined });
  expect(plan('weekly')).toMatchObject({ weekday: 0, atMs: four });
  expect(plan('Weekly Friday')).toMatchObject({ weekday: 5, atMs: four });
  expect(plan('weekly 23:59')).toMatchObject({ weekday: 0, atMs: (23 * 60 + 59) * 60_000 });
});

describe('the last scheduled time', () => {
  it.each([
    ['daily 03:30', '2026-03-10T10:00:00Z', 'UTC', '2026-03-10T03:30:00.000Z'],
    ['daily 03:30', '2026-03-10T03:30:00Z', 'UTC', '2026-03-10T03:30:00.000Z'],
    ['daily 03:30', '2026-03-10T03:29:59Z', 'UTC', '2026-03-09T03:30:00.000Z'],
    // 03:30 in India is 22:00 UTC the evening before.
    ['daily 03:30', '2026-03-10T10:00:00Z', 'Asia/Kolkata', '2026-03-09T22:00:00.000Z'],
    ['weekly sunday 03:30', '2026-03-10T10:00:00Z', 'UTC', '2026-03-08T03:30:00.000Z'],
    ['weekly tuesday 10:01', '2026-03-10T10:00:00Z', 'UTC', '2026-03-03T10:01:00.000Z'],
    // Berlin skips 02:30 one night and repeats it another; the first one counts.
    ['daily 02:30', '2026-03-29T00:59:59Z', 'Europe/Berlin', '2026-03-28T01:30:00.000Z'],
    ['daily 02:30', '2026-03-29T05:00:00Z', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['daily 02:30', '2026-10-25T12:00:00Z', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ])('of %s at %s in %s is %s', (given, at, timeZone, time) => {
    expect(lastTimeOf(plan(given), new Date(at), timeZone).toISOString()).toBe(time);
  });
});
