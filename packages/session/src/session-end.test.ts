import { expect, it } from 'vitest';
import { sessionFetchFailure, sessionFetchPause, shouldKeepFormInput } from './session-end.ts';

it('keeps input unless this tab itself signed out', () => {
  const kept = (['ended', 'replaced', 'other-tab', 'signed-out', null] as const).map(shouldKeepFormInput);
  expect(kept).toEqual([true, true, true, false, false]);
});

it.each([
  [400, 'ended'],
  [401, 'ended'],
  [403, 'ended'],
  [404, 'ended'],
  [500, 'ended'],
  [421, 'retry'],
  [429, 'retry'],
  [503, 'retry'],
  [200, 'retry'],
  [0, 'unanswered'],
  [502, 'unanswered'],
  [504, 'unanswered'],
])('maps status %i of a failed session fetch to %s', (status, means) => {
  expect(sessionFetchFailure(status)).toBe(means);
});

it('backs off after each failure, up to eight seconds', () => {
  expect([1, 2, 3, 4, 5, 50].map(sessionFetchPause)).toEqual([1000, 2000, 4000, 8000, 8000, 8000]);
});
