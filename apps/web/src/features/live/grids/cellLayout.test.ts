import { expect, test } from 'vitest';
import { formatPoints } from '../../../lib/format.ts';
import { cellLayout } from './cellLayout.ts';

test.each([
  ['a phone', 358, 5, false, 1e5],
  ['a narrow desk', 676, 10, false, 1e4],
  ['a desk', 836, 10, false, 1e6],
  ['a wide screen', 1316, 10, true, 1e6],
])('%s of %d px', (_, width, columns, beside, wholeBelow) => {
  expect(cellLayout(width)).toMatchObject({ columns, beside, wholeBelow });
});

test('full amounts are at least 10 px at any width', () => {
  for (let width = 280; width < 2400; width++) {
    const { amountWidth, wholeBelow } = cellLayout(width);
    const longest = formatPoints(1 - wholeBelow).length;
    expect(amountWidth / (longest * 0.56), `${width} px`).toBeGreaterThan(10);
  }
});
