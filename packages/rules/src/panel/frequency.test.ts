import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_GAMES, builtInGame } from '../games/catalogue.ts';
import { frequenciesOf } from './frequency.ts';
import { rulesFor, type GameRules, type Result } from '../games/rules.ts';

const rulesOf = (gameId: string): GameRules => rulesFor(builtInGame(gameId)!);
const shape = (gameId: string) =>
  frequenciesOf(rulesOf(gameId), []).map(({ section, title, values }) => [section, title, values.length]);

it('counts few outcomes themselves, many by digits', () => {
  expect(shape('titlisorrat')).toEqual([['', '', 12]]);
  expect(shape('funroulette')).toEqual([['', '', 38]]);
  expect(shape('andarbahar')).toEqual([
    ['', 'Card', 13],
    ['', 'Card type', 4],
    ['', 'Color', 2],
  ]);
  for (const game of ['lottery3d', 'triplefun'])
    expect(shape(game)).toEqual([
      ['', 'Hundreds', 10],
      ['', 'Tens', 10],
      ['', 'Units', 10],
    ]);
  expect(shape('acqOpdpL').slice(0, 3)).toEqual([
    ['K50SILVER', 'Andhar', 10],
    ['K50SILVER', 'Bahar', 10],
    ['K60GOLD', 'Andhar', 10],
  ]);
  const series = shape('lottery4d');
  expect(series).toHaveLength(60);
  expect(series.slice(0, 3)).toEqual([
    ['1000', 'Tens', 10],
    ['1000', 'Units', 10],
    ['1100', 'Tens', 10],
  ]);
  const made = frequenciesOf(rulesFor({ gameId: 'made', family: 'numbers', digits: 150 }), [
    { drawno: '7' },
    { drawno: '107' },
  ]);
  expect(made.map(({ title, values }) => [title, values.length])).toEqual([
    ['Hundreds', 2],
    ['Tens', 10],
    ['Units', 10],
  ]);
  expect(made[0]!.values.map(({ count }) => count)).toEqual([1, 1]);
  expect(made[2]!.values[7]).toEqual({ value: '7', label: '7', count: 2, since: 0 });
});

it("reports draws since a value's last appearance", () => {
  const results: Result[] = ['3', '7', '3', '9'].map((drawno) => ({ drawno }));
  const [{ values } = { values: [] }] = frequenciesOf(rulesOf('funtargetbingo'), results);
  const of = (drawno: string) => values.find(({ value }) => value === drawno);
  expect(of('3')).toMatchObject({ count: 2, since: 0 });
  expect(of('9')).toMatchObject({ count: 1, since: 3 });
  expect(of('0')).toMatchObject({ count: 0, since: null });
});

it('counts a group only if it had a winner', () => {
  const groups = frequenciesOf(rulesOf('acqOpdpL'), [
    { winners: { K60GOLD: '42' } },
    { winners: { K50SILVER: '07', K60GOLD: '40' } },
  ]);
  const of = (section: string, title: string) =>
    groups.find((group) => group.section === section && group.title === title)!.values.filter(({ count }) => count > 0);
  expect(of('K60GOLD', 'Andhar')).toEqual([{ value: '4', label: '4', count: 2, since: 0 }]);
  expect(of('K60GOLD', 'Bahar').map(({ value, since }) => [value, since])).toEqual([
    ['0', 1],
    ['2', 0],
  ]);
  expect(of('K50SILVER', 'Bahar')).toEqual([{ value: '7', label: '7', count: 1, since: 1 }]);
  expect(of('K70DIAMOND', 'Andhar')).toEqual([]);
});

describe.each(BUILT_IN_GAMES)('drawn results of $gameId', (game) => {
  it('counts every part once; the latest appeared 0 draws ago', () => {
    const rules = rulesFor(game);
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), fc.integer({ min: 1, max: 12 }), (numbers, draws) => {
        const results = Array.from({ length: draws }, () => rules.draw((n) => (numbers.next().value as number) % n));
        for (const { values } of frequenciesOf(rules, results)) {
          expect(values.reduce((sum, { count }) => sum + count, 0)).toBe(draws);
          expect(values.filter(({ since }) => since === 0)).toHaveLength(1);
          for (const { count, since } of values) expect(count === 0).toBe(since === null);
        }
      }),
      { numRuns: 10 },
    );
  });
});
