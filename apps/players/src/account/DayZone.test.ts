import { beforeEach, expect, it, vi } from 'vitest';
import { daysUpTo, foreignDayZone } from './DayZone.tsx';

const zone = vi.hoisted(() => ({ name: 'Asia/Kolkata' as string | undefined }));
vi.mock('../lib/session/playerSession.ts', () => ({
  getSession: () => (zone.name === undefined ? null : { user: { timeZone: zone.name } }),
}));

const now = Date.parse('2026-03-01T20:00:00.000Z');

beforeEach(() => {
  vi.stubEnv('TZ', 'America/Los_Angeles');
  return () => vi.unstubAllEnvs();
});

it("uses the server's days, whatever the device says", () => {
  zone.name = 'Asia/Kolkata';
  expect(daysUpTo(1, now)).toEqual({
    first: '2026-03-02',
    startDate: '2026-03-01T18:30:00.000Z',
    endDate: '2026-03-02T18:29:59.999Z',
  });
  expect(daysUpTo(7, now).first).toBe('2026-02-24');
  expect(foreignDayZone(now)).toBe('Asia/Kolkata');
});

it('shows no hint when both calendars agree', () => {
  zone.name = 'America/Los_Angeles';
  expect(foreignDayZone(now)).toBeNull();
  zone.name = undefined;
  expect(foreignDayZone(now)).toBeNull();
});
