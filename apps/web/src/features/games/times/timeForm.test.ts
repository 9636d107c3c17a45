import { describe, expect, test } from 'vitest';
import { beginsAt, intervalText, secondsOf, timeErrors } from './timeForm.ts';

describe('seconds', () => {
  test.each([5, 60, 86_400])('accept %s', (timecount) => {
    expect(timeErrors({ timecount })).toEqual({});
    expect(secondsOf({ timecount })).toBe(timecount);
  });
  test.each(['', 4, 86_401, 7.5, -60])('refuse %s', (timecount) => {
    expect(timeErrors({ timecount })).toEqual({ timecount: 'Enter a whole number of seconds from 5 to 86,400' });
    expect(secondsOf({ timecount })).toBeNull();
  });
});

test.each([
  [60, '2026-11-20T10:00:40.000Z', '2026-11-20T10:01:00.000Z'],
  [40, '2026-11-20T10:00:40.000Z', '2026-11-20T10:00:40.000Z'],
  [86_400, '2026-11-20T10:00:40.000Z', '2026-11-21T00:00:00.000Z'],
  [60, null, '2026-11-20T10:01:00.000Z'],
  [60, '2026-11-20T09:00:00.000Z', '2026-11-20T10:01:00.000Z'],
])('every %i s after a draw ending at %s starts at %s', (seconds, runsUntil, begins) => {
  expect(beginsAt(seconds, runsUntil, '2026-11-20T10:00:05.000Z')).toBe(begins);
});

test.each([
  [45, '45 seconds'],
  [1, '1 second'],
  [60, '1 minute'],
  [90, '1 minute 30 seconds'],
  [3600, '1 hour'],
  [86_400, '24 hours'],
])('%i s reads %s', (seconds, text) => {
  expect(intervalText(seconds)).toBe(text);
});
