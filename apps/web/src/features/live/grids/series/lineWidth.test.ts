import { expect, test } from 'vitest';
import { amountInWidth } from '../cellFigures.ts';
import { lineWidth } from './lineWidth.ts';

test('no amount of the line of a number is small print, at any width: what is too long is there in short', () => {
  for (let width = 340; width < 2400; width++)
    for (const digit of [0.556, 0.7])
      expect(
        lineWidth(width) / (amountInWidth(-10_786_617_688, lineWidth(width), digit).length * digit),
        `${width} px`,
      ).toBeGreaterThan(9);
});
