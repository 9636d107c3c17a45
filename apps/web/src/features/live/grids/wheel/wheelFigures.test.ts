import { expect, test } from 'vitest';
import { fittingPoints } from './wheelFigures.ts';

/** A usual and a wide font. */
const [USUAL, WIDE] = [0.556, 0.696];

test.each([
  [1234.5, 200, '1,234.50'],
  [123_456_789, 200, '123,456,789.00'],
  [5816, 60, '5,816'],
  [-25_194, 60, '\u221225,194'],
  [531_660, 60, '531.7K'],
  [129_941_305, 60, '129.9M'],
  [-4_546_000_000, 60, '\u22124.546B'],
  [0, 60, '0.00'],
])('%d in %d px reads %s', (points, room, text) => {
  expect(fittingPoints(points, room, USUAL)).toBe(text);
});

test('a wider font fits less', () => {
  expect(fittingPoints(-490, 60, USUAL)).toBe('\u2212490.00');
  expect(fittingPoints(-490, 60, WIDE)).toBe('\u2212490');
});
