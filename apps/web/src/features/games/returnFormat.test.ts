import { expect, test } from 'vitest';
import { formatOneIn } from './returnFormat.ts';

test('formats chances for people', () => {
  expect([1 / 37, 0.001, 6 / 1000].map(formatOneIn)).toEqual(['1 in 37', '1 in 1,000', '1 in 166.7']);
});
