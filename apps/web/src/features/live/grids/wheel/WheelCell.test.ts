import { expect, test } from 'vitest';
import { wheelFormat } from './WheelCell.tsx';

const [USUAL, WIDE] = [0.556, 0.696];

test.each([
  [1234.5, 200, '1,234.50'],
  [123_456_789, 200, '123,456,789.00'],
  [5816, 60, '5,816'],
  [-25_194, 60, '\u221225,194'],
  [129_941_305, 60, '129.9M'],
  [-4_546_000_000, 60, '\u22124.5B'],
  [0, 60, '0.00'],
])('%d in %d px reads %s', (points, room, text) => {
  expect(wheelFormat([points], room, USUAL)(points)).toBe(text);
});

test('a wider font fits less', () => {
  expect(wheelFormat([-490], 60, USUAL)(-490)).toBe('\u2212490.00');
  expect(wheelFormat([-490], 60, WIDE)(-490)).toBe('\u2212490');
});
