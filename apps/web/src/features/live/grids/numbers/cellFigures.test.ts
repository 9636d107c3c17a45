import { describe, expect, it, test } from 'vitest';
import { cellAppearance, cellText, figureOf, scaleOf, STEPS, stepsOf } from './cellFigures.ts';

test('a cell shows stake, payout with booster, and net', () => {
  const cell = { drawno: '7', label: '7', color: null, image: null, sum: 12, pays: 90 };
  expect(figureOf(cell, 'sum', 2, 100)).toBe(12);
  expect(figureOf(cell, 'pays', 2, 100)).toBe(180);
  expect(figureOf(cell, 'net', 2, 100)).toBe(-80);
});

describe('bars', () => {
  it('keep their scale while the maximum grows slightly', () => {
    expect(scaleOf(0)).toBe(0);
    expect(scaleOf(1)).toBe(1);
    expect(scaleOf(4001)).toBe(5000);
    expect(scaleOf(4999)).toBe(scaleOf(4002));
    expect(scaleOf(83)).toBe(100);
  });
  it('are visible for any amount and never too long', () => {
    expect(stepsOf(0, 100)).toBe(0);
    expect(stepsOf(0.01, 100)).toBe(1);
    expect(stepsOf(50, 100)).toBe(STEPS / 2);
    expect(stepsOf(500, 100)).toBe(STEPS);
    expect(stepsOf(5, 0)).toBe(0);
  });
});

test.each([
  [1234.5, 1_000_000, '1,234.50'],
  [-999_999.99, 1_000_000, '\u2212999,999.99'],
  [123_456_789, 1_000_000, '123.46M'],
  [-123_456, 100_000, '\u2212123.46K'],
])('%d in a cell, whole below %d, reads %s', (amount, compactFrom, text) => {
  expect(cellText(amount, compactFrom)).toBe(text);
});

test('a cell depends on booster and collection only if it shows derived figures', () => {
  const look = { booster: 3, collection: 500, scale: 100, compactFrom: 1_000, disabled: false };
  expect(cellAppearance({ ...look, figure: 'sum' })).toMatchObject({ booster: 1, collection: 0 });
  expect(cellAppearance({ ...look, figure: 'pays' })).toMatchObject({ booster: 3, collection: 0 });
  expect(cellAppearance({ ...look, figure: 'net' })).toEqual({ ...look, figure: 'net' });
});
