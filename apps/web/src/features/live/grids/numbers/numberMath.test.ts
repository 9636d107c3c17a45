import type { PanelRow } from '@drawhouse/contract/live/live';
import { layoutOf } from '@drawhouse/rules/panel/layout';
import { rulesFor } from '@drawhouse/rules/games/rules';
import { describe, expect, it, test } from 'vitest';
import { headFigures, numberSections, markedOf, rankedIndexes, extremesOf, reasonOf } from './numberMath.ts';

const row = (drawno: string, sum: number, pays: number): PanelRow => ({
  drawno,
  label: drawno,
  color: null,
  image: null,
  sum,
  pays,
});

describe('stakes per head on a number', () => {
  const lottery = rulesFor({ gameId: 'lottery3d', family: 'lottery3d', digits: 1000 });
  const outcome = (drawno: string) => lottery.outcomes.find((each) => each.drawno === drawno)!;

  it('lists seven 3D heads with winning stakes, ratio and payout', () => {
    const stakes = { 'straight:213': 2, 'spbox:123': 3.5, 'fp:21': 1, 'bp:13': 4, 'sp:23': 5, 'ap:21': 6, 'ap:13': 7 };
    const heads = headFigures(lottery, outcome('213'), stakes);
    expect(heads.map(({ label, ratio, sum, pays }) => [label, ratio, sum, pays])).toEqual([
      ['Straight', 900, 2, 1800],
      ['SP Box', 150, 3.5, 525],
      ['DP Box', 300, 0, 0],
      ['Any Pair', 60, 13, 780],
      ['Front Pair', 90, 1, 90],
      ['Back Pair', 90, 4, 360],
      ['Split Pair', 90, 5, 450],
    ]);
  });
});

describe('the order by cost', () => {
  const rows = [row('0', 5, 45), row('1', 1, 9), row('2', 9, 81), row('3', 5, 45)];

  it('sorts dearest or cheapest first, ties by number', () => {
    expect(rankedIndexes(rows, 'dearest')).toEqual([2, 0, 3, 1]);
    expect(rankedIndexes(rows, 'cheapest')).toEqual([1, 0, 3, 2]);
  });

  it('knows both extremes and counts numbers above the collection', () => {
    expect(extremesOf(rows, 1, 45)).toEqual({ dearest: 2, cheapest: 1, losses: 1, largest: { sum: 9, pays: 81 } });
    expect(extremesOf(rows, 2, 45).losses).toBe(3);
    // 0.1 × 3 exceeds 0.3 in binary floats, but not in points.
    expect(extremesOf([row('0', 1, 0.1)], 3, 0.3).losses).toBe(0);
  });

  it('keeps sections of a hundred, like the numbers', () => {
    const { sections } = layoutOf({ gameId: 'somebody', family: 'numbers', digits: 250 });
    expect(numberSections(sections, null).map(({ title, short }) => [title, short])).toEqual([
      ['0-99', '0'],
      ['100-199', '100'],
      ['200-249', '200'],
    ]);
    const ranked = Array.from({ length: 250 }, (_, index) => 249 - index);
    const shown = numberSections(sections, ranked);
    expect(shown.map(({ title }) => title)).toEqual(['No. 1-100', 'No. 101-200', 'No. 201-250']);
    expect(shown.flatMap(({ indexes }) => indexes)).toEqual(ranked);
  });
});

describe('the detailed number', () => {
  const result = { selection: { number: '4' }, booster: 1 };
  const focusOf = (selection: Record<string, string>, hovered: string | null, current: string | null, drawn = result) =>
    markedOf({ selection, result: drawn }, 'number', { hovered, current }, { dearest: '5', first: '0' });

  it('is the hovered, last viewed, chosen, drawn or dearest one, in this order', () => {
    expect(focusOf({ number: '3' }, '1', '2')).toMatchObject({ focused: '1', reachable: '2' });
    expect(focusOf({ number: '3' }, null, '2')).toMatchObject({ focused: '2', reachable: '2' });
    expect(focusOf({ number: '3' }, null, null)).toMatchObject({
      focused: '3',
      reachable: '3',
      selected: '3',
      drawn: '4',
    });
    expect(focusOf({}, null, null)).toMatchObject({ focused: '4', reachable: '0' });
    expect(
      markedOf(
        { selection: {}, result: null },
        'number',
        { hovered: null, current: null },
        { dearest: '5', first: '0' },
      ),
    ).toEqual({
      selected: null,
      drawn: null,
      focused: '5',
      reachable: '0',
    });
  });
});

test('explains why a number is detailed', () => {
  const reasons = ['3', '4', '5', '6'].map((drawno) => reasonOf({ focused: drawno, selected: '3', drawn: '4' }, '5'));
  expect(reasons).toEqual(['chosen', 'result', 'dearest', null]);
  expect(reasonOf({ focused: '3', selected: '3', drawn: '3' }, '3')).toBe('chosen');
});
