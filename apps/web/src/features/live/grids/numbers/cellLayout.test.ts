import { expect, test } from 'vitest';
import { formatPoints } from '../../../../lib/format/format.ts';
import { cellLayout, detailWidth, lineWidth } from './cellLayout.ts';
import { amountInWidth } from './cellFigures.ts';

test.each([
  ['a phone', 358, 5, false, 1e5],
  ['a narrow desk', 676, 10, false, 1e4],
  ['a desk', 836, 10, false, 1e6],
  ['a wide screen', 1316, 10, true, 1e6],
])('%s of %d px', (_, width, columns, horizontal, compactFrom) => {
  expect(cellLayout(width)).toMatchObject({ columns, horizontal, compactFrom });
});

test('full amounts are at least 10 px at any width', () => {
  for (let width = 280; width < 2400; width++) {
    const { amountWidth, compactFrom } = cellLayout(width);
    const longest = formatPoints(1 - compactFrom).length;
    expect(amountWidth / (longest * 0.56), `${width} px`).toBeGreaterThan(10);
  }
});

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

test("amounts in a number's row are never small print: long ones are shortened", () => {
  for (let width = 340; width < 2400; width++)
    for (const digit of [0.556, 0.7])
      expect(
        lineWidth(width) / (amountInWidth(-10_786_617_688, lineWidth(width), digit).length * digit),
        `${width} px`,
      ).toBeGreaterThan(9);
});
