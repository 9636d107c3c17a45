import { expect, test } from 'vitest';
import { amountInWidth } from '../cellFigures.ts';
import { detailWidth } from './detailWidth.ts';

test("amounts in a number's detail are never small print: long ones are shortened", () => {
  for (let width = 340; width < 2400; width++) {
    const { head, total } = detailWidth(width, 7, false);
    for (const [amountWidth, amount, after] of [
      [head, 111_111_110_100, ''],
      [head, 123_456_789, ' × 900'],
      [total, -110_625_706_746, ''],
    ] as const)
      for (const digit of [0.556, 0.7])
        expect(
          amountWidth / (amountInWidth(amount, amountWidth, digit, after).length * digit),
          `${width} px`,
        ).toBeGreaterThan(9);
  }
});

test('amounts are shown in full if legible, and always when opened on a phone', () => {
  const of = (width: number, open = false) => amountInWidth(-110_625_706_746, detailWidth(width, 7, open).total, 0.556);
  expect(of(366)).toBe('\u2212110.63B');
  expect(of(366, true)).toBe('\u2212110,625,706,746.00');
  expect(of(836)).toBe('\u2212110,625,706,746.00');
});
