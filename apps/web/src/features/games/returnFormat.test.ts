import { expect, test } from 'vitest';
import { formatPercent, formatShare } from './returnFormat.ts';

test('returns and chances are written for people', () => {
  expect([0.9, 36 / 37, 1.6848].map(formatPercent)).toEqual(['90.00 %', '97.30 %', '168.48 %']);
  expect([1 / 37, 0.001, 6 / 1000].map(formatShare)).toEqual(['1 in 37', '1 in 1,000', '1 in 166.7']);
});
