import { expect, it } from 'vitest';
import { iconText } from './tabCountdown.ts';

it.each([
  [0, '0'],
  [7, '7'],
  [99, '99'],
  [100, '1m'],
  [3599, '59m'],
  [86_400, '99m'],
])('%i seconds fit the icon of a tab as %s', (seconds, text) => {
  expect(iconText(seconds)).toBe(text);
});
