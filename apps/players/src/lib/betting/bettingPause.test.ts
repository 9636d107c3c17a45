import type { ShownLimit, ShownProtection } from '@drawhouse/contract/players/protection';
import { expect, it } from 'vitest';
import { hasLimits, pauseAt, pauseText } from './bettingPause.ts';

const none = { own: null, managers: null, setBy: null, pending: null, used: null };
const minutes = (value: number | null, left: number | null): ShownLimit => ({
  ...none,
  limit: 'minutesPerDay',
  value,
  left,
});
const at = '2026-03-10T12:00:00.000Z';
const now = Date.parse(at);
const free: ShownProtection = {
  serverTime: at,
  timeZone: 'Asia/Kolkata',
  limits: [minutes(null, null)],
  breakUntil: null,
  excludedUntil: null,
  exclusionEndableUntil: null,
  today: { staked: 0, won: 0, open: 0, minutes: 0 },
};

it('an exclusion, a break and used-up minutes pause play until they end', () => {
  const later = '2026-03-11T12:00:00.000Z';
  expect(pauseAt(free, now)).toBeNull();
  expect(pauseAt({ ...free, breakUntil: later }, now)).toEqual({ what: 'break', until: later });
  expect(pauseAt({ ...free, breakUntil: later }, Date.parse(later))).toBeNull();
  expect(pauseAt({ ...free, breakUntil: later, excludedUntil: later }, now)).toMatchObject({ what: 'exclusion' });
  const timed = { ...free, limits: [minutes(90, 2)] };
  expect(hasLimits(free)).toBe(false);
  expect(hasLimits(timed)).toBe(true);
  expect(pauseAt(timed, now + 119_999)).toBeNull();
  expect(pauseAt(timed, now + 120_000)).toEqual({ what: 'time', minutes: 90 });
  expect(pauseText({ what: 'time', minutes: 90 })).toContain('90 minutes');
});
