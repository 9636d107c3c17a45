import { expect, it } from 'vitest';
import { BUILT_IN_GAMES } from './catalogue.ts';
import { outcomeOfNumber, shownOutcome } from './outcome-names.ts';
import { rulesFor } from './rules.ts';

it.each(BUILT_IN_GAMES.filter(({ family }) => ['numbers', 'roulette', 'triple', 'lottery3d'].includes(family)))(
  'names and colors of $gameId match its rules',
  (game) => {
    const { outcomes } = rulesFor(game);
    expect(outcomes.map(({ drawno }) => outcomeOfNumber(game, drawno))).toEqual(outcomes);
  },
);

it('a drawn card is named by rank and suit; grouped results have no single outcome', () => {
  const game = { gameId: 'andarbahar', family: 'andarbahar' };
  expect(shownOutcome(game, { drawno: '12', suit: 'heart', color: 'red' })).toEqual({
    drawno: '12',
    label: 'Q♥',
    color: 'red',
  });
  expect(shownOutcome({ gameId: 'lottery4d', family: 'lottery4d' }, { winners: { 1000: '1042' } })).toBeNull();
});
