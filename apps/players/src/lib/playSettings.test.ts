import { expect, it, vi } from 'vitest';
import { asksFirst, readSettings, remindersDue, USUAL_SETTINGS } from './playSettings.ts';

vi.mock('./session/playerSession.ts', () => ({ useSession: () => null }));
vi.mock('./useDeviceStorage.ts', () => ({ useDeviceStorage: () => [null, () => undefined] }));

it('are read, except for invalid values', () => {
  for (const wrong of [null, '', '{', '7', '{}', '{"askAbove":"x","remindMinutes":60}', '{"askAbove":-1}'])
    expect(readSettings(wrong)).toEqual(USUAL_SETTINGS);
  expect(readSettings('{"askAbove":null,"remindMinutes":5}')).toEqual({ askAbove: null, remindMinutes: 5 });
  expect(readSettings('{"askAbove":0,"remindMinutes":20}')).toEqual({ askAbove: 0, remindMinutes: 20 });
});

it('ask for confirmation above the amount, and never without one', () => {
  expect(asksFirst({ ...USUAL_SETTINGS, askAbove: 10 }, 10)).toBe(false);
  expect(asksFirst({ ...USUAL_SETTINGS, askAbove: 10 }, 10.01)).toBe(true);
  expect(asksFirst({ ...USUAL_SETTINGS, askAbove: null }, 1e9)).toBe(false);
});

it('remind at the set interval, counted from sign-in', () => {
  const minutes = 60_000;
  expect(remindersDue(USUAL_SETTINGS, 0, 29 * minutes)).toBe(0);
  expect(remindersDue(USUAL_SETTINGS, 0, 30 * minutes)).toBe(1);
  expect(remindersDue({ ...USUAL_SETTINGS, remindMinutes: 5 }, 0, 31 * minutes)).toBe(6);
  expect(remindersDue(USUAL_SETTINGS, 1, 0)).toBe(0);
});
