import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addPoints, parsePoints } from './pointsMath.ts';

describe('parsePoints', () => {
  test.each([
    ['12', 12],
    [' 12.50 ', 12.5],
    ['1,250.50', 1250.5],
    ['1,234,567', 1_234_567],
    ['1,00,000', 100_000],
    ['12,34,567.50', 1_234_567.5],
    ['0', 0],
  ])('takes %j', (text, points) => {
    expect(parsePoints(text)).toBe(points);
  });

  test.each([
    '',
    '1.005',
    '1e3',
    '-1',
    'NaN',
    'abc',
    '9007199254740993',
    '1,25',
    '1,2345',
    '1,00,00',
    '1,,000',
    '.5',
    '5.',
    '0x10',
    '１２',
  ])('refuses %j', (text) => {
    expect(parsePoints(text)).toBeNull();
  });
});

test('addPoints is exact to the hundredth', () => {
  const hundredths = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 });
  fc.assert(fc.property(hundredths, hundredths, (a, b) => addPoints(a / 100, b / 100) === (a + b) / 100));
});
