import { expect, it } from 'vitest';
import { layoutOf } from './layout.ts';
import { rulesFor, type Result } from '../games/rules.ts';
import { BUILT_IN_GAMES, builtInGame } from '../games/catalogue.ts';
import { seriesName } from '../games/outcome-names.ts';
import { lineName } from '../bet-text/line-name.ts';
import { allWinners, drawnOutcome, resultName, shortWinners, slotsWonBy } from './shown-result.ts';

const lottery4d = layoutOf({ gameId: 'lottery4d', family: 'lottery4d', digits: 3000 });

it('several winners are shortened, in the order of their series', () => {
  expect(shortWinners({ K70DIAMOND: '88', K50SILVER: '07' })).toBe('K50 07 · K70 88');
  expect(shortWinners({ 5900: '5999', 1000: '1042', 1100: '1101' })).toBe('1042, 1101, 5999');
  expect(shortWinners({ 1000: '1042', 1100: '1101', 1200: '1207', 5900: '5999' })).toBe('1042, 1101 + 2 more');
  expect(shortWinners({})).toBe('');
});

it('thirty winners are listed by series, abbreviated in the short text', () => {
  const winners = Object.fromEntries(lottery4d.sections.map(({ slot }) => [slot, String(Number(slot) + 7)]));
  const groups = allWinners(winners);
  expect(groups.map(({ series, numbers }) => [series, numbers.length])).toEqual([
    ['1000-1999', 10],
    ['3000-3999', 10],
    ['5000-5999', 10],
  ]);
  expect(groups[1]!.numbers.slice(0, 2)).toEqual([
    { slot: '3000', drawno: '3007' },
    { slot: '3100', drawno: '3107' },
  ]);
  expect(allWinners({ K50SILVER: '07', K60GOLD: '42' })).toEqual([
    { series: 'K50 Silver', numbers: [{ slot: 'K50SILVER', drawno: '07' }] },
    { series: 'K60 Gold', numbers: [{ slot: 'K60GOLD', drawno: '42' }] },
  ]);
});

it('knows which of several winners a bet has won, in its own tier and by each kind of bet', () => {
  const winners = { K50SILVER: '42', K60GOLD: '42', K70DIAMOND: '07' };
  const rules = rulesFor({ gameId: 'acqOpdpL', family: 'jodi', digits: 300 });
  const wonBy = (...keys: string[]) => [...slotsWonBy(rules, winners, (key) => keys.includes(key))];
  expect(wonBy('K60GOLD|jodi:42', 'K70DIAMOND|jodi:42')).toEqual(['K60GOLD']);
  expect(wonBy('K50SILVER|andhar:4', 'K70DIAMOND|bahar:7', 'K60GOLD|andhar:2')).toEqual(['K50SILVER', 'K70DIAMOND']);
});

it('players read plain names, without keys or numbers of outcomes', () => {
  const named = (gameId: string, result: Result) => resultName(builtInGame(gameId)!, result);
  expect(named('titlisorrat', { drawno: '3' })).toBe('Sun');
  expect(named('luckycard16', { drawno: '0' })).toBe('A♠');
  expect(named('europeanroulette', { drawno: '17' })).toBe('17');
  expect(named('andarbahar', { drawno: '13', suit: 'spade', color: 'black' })).toBe('K♠');
  expect(named('lottery3d', { drawno: '007' })).toBe('007');
  expect(named('acqOpdpL', { winners: { K50SILVER: '07', K60GOLD: '42' } })).toBe('K50 07 · K60 42');
  expect(['K50SILVER', 'K60GOLD', 'K70DIAMOND', '1000-1999'].map(seriesName)).toEqual([
    'K50 Silver',
    'K60 Gold',
    'K70 Diamond',
    '1000-1999',
  ]);
  for (const game of BUILT_IN_GAMES) {
    const rules = rulesFor(game);
    for (const outcome of rules.outcomes.slice(0, 40))
      for (const { key } of rules.outcomeBets(outcome)) {
        const name = lineName(rules.betOf(key)!, rules);
        expect({ key, name }).toMatchObject({
          name: expect.not.stringMatching(/[A-Z]{3}|\d [AKQJ]?[♠♥♦♣]|^\d+ [A-Z]/),
        });
      }
  }
});

it('a card shows rank and suit, a pocket its color', () => {
  const cards = rulesFor({ gameId: 'andarbahar', family: 'andarbahar', digits: 13 });
  const drawn = drawnOutcome(
    { data: cards.outcomes, dataCardTypes: cards.cardTypes ?? [] },
    { drawno: '12', suit: 'heart', color: 'red' },
  );
  expect(drawn).toMatchObject({ label: 'Q♥', color: 'red' });
  const { outcomes } = rulesFor({ gameId: 'roulette', family: 'roulette', digits: 38 });
  const wheel = { data: outcomes, dataCardTypes: [] };
  expect(drawnOutcome(wheel, { drawno: '00' })).toMatchObject({ drawno: '00', color: 'green' });
  expect(drawnOutcome(wheel, { winners: { K50SILVER: '07' } })).toBeNull();
});
