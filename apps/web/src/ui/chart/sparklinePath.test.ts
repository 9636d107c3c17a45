import { expect, it } from 'vitest';
import { sparklinePath } from './sparklinePath.ts';

const BOX = { width: 105, height: 25 };

it('goes over the whole box from the first to the last value, the highest on top', () => {
  const { d, last } = sparklinePath([0, 10, -10], { least: -10, most: 10, count: 3 }, BOX);
  expect(d).toBe('M2.5 12.5L52.5 2.5L102.5 22.5');
  expect(last).toEqual({ x: 102.5, y: 22.5 });
});

it('leaves room at the right for what has not come yet, and lies in the middle where nothing differs', () => {
  expect(sparklinePath([5, 5], { least: 5, most: 5, count: 5 }, BOX).d).toBe('M2.5 12.5L27.5 12.5');
});
