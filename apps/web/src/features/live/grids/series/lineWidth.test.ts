import { expect, test } from 'vitest';
import { amountInWidth } from '../cellFigures.ts';
import { lineWidth } from './lineWidth.ts';

test("amounts in a number's row are never small print: long ones are shortened", () => {
  for (let width = 340; width < 2400; width++)
    for (const digit of [0.556, 0.7])
      expect(
        lineWidth(width) / (amountInWidth(-10_786_617_688, lineWidth(width), digit).length * digit),
        `${width} px`,
      ).toBeGreaterThan(9);
});
