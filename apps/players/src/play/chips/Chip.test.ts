import { expect, it } from 'vitest';
import { chipLook, chipText } from './Chip.tsx';

it('short amounts are exact, and long ones never rounded up', () => {
  expect([1, 2.5, 0.05, 1250, 9999.99].map(chipText)).toEqual(['1', '2.5', '0.05', '1,250', '9,999.99']);
  expect([10_000, 12_599, 1_999_999].map(chipText)).toEqual(['10K', '12.5K', '1.9M']);
});

it('a chip looks like its highest denomination', () => {
  expect([1, 4, 5, 49, 50, 100, 499, 500, 1_000_000].map(chipLook)).toEqual([0, 0, 1, 2, 3, 4, 4, 5, 5]);
});
