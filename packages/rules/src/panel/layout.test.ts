import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_GAMES } from '../games/catalogue.ts';
import {
  chosenWith,
  declarationOf,
  layoutOf,
  NO_SELECTION,
  selectionOf,
  slotOf,
  toggleNumber,
  type PanelList,
  type PanelSection,
} from './layout.ts';
import { rulesFor, type GameRules, type Outcome } from '../games/rules.ts';

const listed = (rules: GameRules): Record<PanelList, readonly Outcome[]> => ({
  data: rules.outcomes,
  dataCardTypes: rules.cardTypes ?? [],
  dataColors: rules.colors ?? [],
});
const labels = (gameId: string, { rows, list }: PanelSection): string[][] => {
  const rules = rulesFor(BUILT_IN_GAMES.find((game) => game.gameId === gameId)!);
  return rows.map((row) => row.map((index) => listed(rules)[list][index]!.label));
};
const built = (gameId: string) => layoutOf(BUILT_IN_GAMES.find((game) => game.gameId === gameId)!);

describe.each(BUILT_IN_GAMES)('the panel of $gameId', (game) => {
  const rules = rulesFor(game);
  const { sections } = layoutOf(game);

  it('shows every outcome once in its own slot', () => {
    for (const [list, outcomes] of Object.entries(listed(rules)) as [PanelList, readonly Outcome[]][]) {
      const own = sections.filter((section) => section.list === list);
      expect(own.flatMap(({ rows }) => rows.flat()).toSorted((a, b) => a - b)).toEqual(
        outcomes.map((_, index) => index),
      );
      for (const { rows, slot } of own)
        for (const index of rows.flat()) expect(slotOf(outcomes[index]!, list)).toBe(slot);
    }
    expect(new Set(sections.map(({ key }) => key)).size).toBe(sections.length);
  });

  it('declares any chosen result and reads it back', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
        const result = rules.draw((n) => (numbers.next().value as number) % n);
        expect(rules.parseResult(declarationOf(rules, selectionOf(result)))).toEqual({ ok: true, result });
      }),
      { numRuns: 20 },
    );
    expect(rules.parseResult(declarationOf(rules, NO_SELECTION)).ok).toBe(false);
  });
});

it('outcomes follow the specified rows', () => {
  expect(built('titlisorrat').sections[0]!.rows.map((row) => row.length)).toEqual([6, 6]);
  expect(built('pingpong1').sections[0]!.rows.map((row) => row[0])).toEqual([0, 4, 8, 12]);
  expect(built('luckycard16').sections[0]!.rows).toEqual([
    [0, 1, 2, 3],
    [4, 5, 6, 7],
    [12, 13, 14, 15],
    [8, 9, 10, 11],
  ]);
  expect(built('wbzegyzA').sections[0]!.rows).toEqual(built('luckycard16').sections[0]!.rows);
  expect(built('andarbahar').sections.map(({ rows }) => rows.map((row) => row.length))).toEqual([[6, 1, 6], [4], [2]]);
  expect(
    built('lottery3d')
      .sections.map(({ title }) => title)
      .slice(0, 2),
  ).toEqual(['000-099', '100-199']);
  expect(built('lottery4d').sections).toHaveLength(30);
  expect(built('lottery4d').sections[10]).toMatchObject({ title: '3000-3099', series: '3000-3999', slot: '3000' });
  expect(built('acqOpdpL').sections.map(({ title, short }) => [title, short])).toEqual([
    ['K50SILVER', 'K50'],
    ['K60GOLD', 'K60'],
    ['K70DIAMOND', 'K70'],
  ]);
});

it("jodi has its own panel title; others use the game's name", () => {
  expect(built('acqOpdpL').title).toBe('{token} andhar-bahar-jodi');
  expect(layoutOf({ gameId: 'somebody', family: 'jodi', digits: 300 }).title).toBeNull();
  expect(built('lottery4d').title).toBeNull();
});

it('a wheel is laid out like its table: zeros separate, threes on top', () => {
  const [section] = built('roulette').sections;
  const [zeros, top, middle, bottom] = labels('roulette', section!);
  expect(zeros).toEqual(['0', '00']);
  expect([top![0], middle![0], bottom![0]]).toEqual(['3', '2', '1']);
  expect([top!.at(-1), middle!.at(-1), bottom!.at(-1)]).toEqual(['36', '35', '34']);
  expect(built('europeanroulette').sections[0]!.rows.map((row) => row.length)).toEqual([1, 12, 12, 12]);
  expect(built('miniroulette').sections[0]!.rows.map((row) => row.length)).toEqual([1, 4, 4, 4]);
});

it('a custom game shows tiles for few numbers, labels for many', () => {
  const numbers = (digits: number) => layoutOf({ gameId: 'somebody', family: 'numbers', digits });
  expect(numbers(24)).toMatchObject({ grid: 'tiles' });
  expect(numbers(24).sections[0]!.rows.map((row) => row.length)).toEqual([8, 8, 8]);
  expect(numbers(1).sections[0]!.rows).toEqual([[0]]);
  expect(numbers(25)).toMatchObject({ grid: 'numbers' });
  expect(numbers(250).sections.map(({ title }) => title)).toEqual(['0-99', '100-199', '200-249']);
});

it('choosing again deselects, and another choice replaces', () => {
  const one = toggleNumber(NO_SELECTION, '1000', '1042');
  expect(toggleNumber(one, '1000', '1043')).toEqual({ 1000: '1043' });
  expect(toggleNumber(toggleNumber(one, '1100', '1101'), '1000', '1042')).toEqual({ 1100: '1101' });
});

it('a card choice stays consistent: a type sets its color, another color clears the type', () => {
  const rules = rulesFor(BUILT_IN_GAMES.find(({ gameId }) => gameId === 'andarbahar')!);
  const card = toggleNumber(NO_SELECTION, 'result', '13');
  const spade = chosenWith(rules, card, 'type', 'spade');
  expect(spade).toEqual({ selection: { result: '13', type: 'spade', color: 'black' }, dropped: null });
  expect(rules.parseResult(declarationOf(rules, spade.selection)).ok).toBe(true);
  expect(chosenWith(rules, spade.selection, 'type', 'heart').selection).toMatchObject({ type: 'heart', color: 'red' });

  const red = chosenWith(rules, spade.selection, 'color', 'red');
  expect(red.selection).toEqual({ result: '13', color: 'red' });
  expect(red.dropped).toMatchObject({ drawno: 'spade', color: 'black' });
  expect(chosenWith(rules, spade.selection, 'color', 'black')).toMatchObject({ selection: { result: '13' } });
  expect(chosenWith(rules, spade.selection, 'result', '1').selection).toEqual({
    result: '1',
    type: 'spade',
    color: 'black',
  });
  expect(chosenWith(rules, spade.selection, 'type', 'spade').selection).toEqual({ result: '13', color: 'black' });
});

it('4D and jodi are declared with the sums of their choices', () => {
  const of = (gameId: string, selection: Record<string, string>) =>
    JSON.parse(
      declarationOf(rulesFor(BUILT_IN_GAMES.find((game) => game.gameId === gameId)!), selection, () => 5).result,
    ) as unknown;
  expect(of('lottery4d', { 1000: '1042', 1100: '1101', 5900: '5999' })).toEqual([
    {
      series: '1000',
      results: [
        { subseries: '1000', drawno: '1042', sum: 5 },
        { subseries: '1100', drawno: '1101', sum: 5 },
      ],
    },
    { series: '5000', results: [{ subseries: '5900', drawno: '5999', sum: 5 }] },
  ]);
  expect(of('acqOpdpL', { K60GOLD: '07' })).toEqual([{ series: 'K60GOLD', drawno: '07', sum: 5 }]);
});
