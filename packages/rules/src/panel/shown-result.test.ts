import { expect, it } from 'vitest';
import { layoutOf } from './layout.ts';
import { rulesFor } from '../games/rules.ts';
import { allWinners, drawnOutcome, shortWinners } from './shown-result.ts';

const lottery4d = layoutOf({ gameId: 'lottery4d', family: 'lottery4d', digits: 3000 });
const jodi = layoutOf({ gameId: 'acqOpdpL', family: 'jodi', digits: 300 });

it('several winners are shortened in section order', () => {
  expect(shortWinners(jodi, { K70DIAMOND: '88', K50SILVER: '07' })).toBe('K50 07 · K70 88');
  expect(shortWinners(lottery4d, { 5900: '5999', 1000: '1042', 1100: '1101' })).toBe('1042, 1101, 5999');
  expect(shortWinners(lottery4d, { 1000: '1042', 1100: '1101', 1200: '1207', 5900: '5999' })).toBe(
    '1042, 1101 + 2 more',
  );
  expect(shortWinners(lottery4d, {})).toBe('');
});

it('thirty winners are listed by series, abbreviated in the short text', () => {
  const winners = Object.fromEntries(lottery4d.sections.map(({ slot }) => [slot, String(Number(slot) + 7)]));
  const groups = allWinners(lottery4d, winners);
  expect(groups.map(({ series, drawnos }) => [series, drawnos.length])).toEqual([
    ['1000-1999', 10],
    ['3000-3999', 10],
    ['5000-5999', 10],
  ]);
  expect(groups[1]!.drawnos.slice(0, 2)).toEqual(['3007', '3107']);
  expect(allWinners(lottery4d, { 1000: '1042', 1100: '1101' })).toEqual([]);
  expect(allWinners(jodi, { K50SILVER: '07' })).toEqual([]);
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
