import { expect, test } from 'vitest';
import { inOrder } from './groupMath.ts';
import { inRanking } from './ranking.ts';

const row = (drawno: string, sum: number, pays: number) => ({
  drawno,
  label: drawno,
  color: null,
  image: null,
  sum,
  pays,
});

test('a bet updates a row immediately and its rank only on re-sorting', () => {
  const before = inOrder([row('00', 1, 90), row('01', 2, 180), row('02', 0, 0)], 'ascending');
  const ranking = before.map(({ drawno }) => drawno);
  expect(ranking).toEqual(['01', '00', '02']);

  const after = inOrder([row('00', 1, 90), row('01', 2, 180), row('02', 9, 810)], 'ascending');
  expect(after[0]!.drawno).toBe('02');
  const shown = inRanking(after, ranking);
  expect(shown.map(({ drawno, sum }) => [drawno, sum])).toEqual([
    ['01', 2],
    ['00', 1],
    ['02', 9],
  ]);
  // Same row objects, which skip rerendering.
  expect(shown[2]).toBe(after[0]);
});
