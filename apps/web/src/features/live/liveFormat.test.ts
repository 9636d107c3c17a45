import { layoutOf } from '@drawhouse/rules/panel/layout';
import { expect, it } from 'vitest';
import { gridFormat, titleOf } from './liveFormat.ts';

const lottery4d = layoutOf({ gameId: 'lottery4d', family: 'lottery4d', digits: 3000 });
const jodi = layoutOf({ gameId: 'acqOpdpL', family: 'jodi', digits: 300 });

it("a panel's title is its game's, or the game's own wording, with its admin", () => {
  const names = { gameName: 'Jodi', username: 'kavya1' };
  expect(titleOf(jodi, names)).toEqual({ title: 'kavya1 andhar-bahar-jodi', of: 'Jodi' });
  expect(titleOf(lottery4d, names)).toEqual({ title: 'Jodi', of: 'kavya1' });
});

it.each([
  [[12, 1234.5, 0], '1,234.50'],
  [[12, 123_456.4, -25_194], '123,456'],
  [[12, 1_234_500, 0], '1.2M'],
  [[12, -4_546_000_000], '12.0'],
])('amounts %j of one grid have like decimals', (amounts, text) => {
  const format = gridFormat(amounts, (shown) => shown.length <= 8);
  expect(amounts.map(format)).toContain(text);
  const decimals = amounts.map((amount) => /\.(\d+)/.exec(format(amount))?.[1]?.length ?? 0);
  expect(new Set(decimals).size).toBe(1);
});
