import { expect, it } from 'vitest';
import { sparklinePath } from './Sparkline.tsx';

const BOX = { width: 105, height: 25 };

it('spans the box from first to last value, highest on top', () => {
  const { d, last } = sparklinePath([0, 10, -10], { least: -10, most: 10, count: 3 }, BOX);
  expect(d).toBe('M2.5 12.5L52.5 2.5L102.5 22.5');
  expect(last).toEqual({ x: 102.5, y: 22.5 });
});

it('leaves room for pending values and centers constant ones', () => {
  expect(sparklinePath([5, 5], { least: 5, most: 5, count: 5 }, BOX).d).toBe('M2.5 12.5L27.5 12.5');
});
