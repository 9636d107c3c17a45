import { expect, test } from 'vitest';
import { gamesPaidTooHigh, gamesReachingStake, reachesStake, returnSentence, formatOneIn } from './returns.ts';

const game = (gameName: string, ...returns: number[]) => ({
  gameName,
  returns: returns.map((each) => ({ return: each })),
});

test.each([
  [0.8, 20, true],
  [0.9, 10, true],
  [0.7, 30, true],
  [36 / 37, 2.71, true],
  [36 / 37, 2.7, false],
  [0.7999, 20, false],
  [1.2, 0.01, true],
  [1.2, 0, false],
  [0.9, Number.NaN, false],
])('a return of %d with commissions of %d %% reaches the stake: %s', (theoretical, commission, reaches) => {
  expect(reachesStake(theoretical, commission)).toBe(reaches);
});

test('lists games that reach the stake, highest return first', () => {
  const games = [game('Triple', 0.9, 0.5), game('Fruit', 0.6), game('Roulette', 0.5, 36 / 37), game('Bare')];
  expect(gamesReachingStake(games, 10)).toBe('Roulette 97.30\u{a0}%, Triple 90.00\u{a0}%');
  expect(gamesReachingStake(games, 5)).toBe('Roulette 97.30\u{a0}%');
  expect(gamesReachingStake(games, 2)).toBeNull();
  expect(gamesReachingStake([], 20)).toBeNull();
});

test('shortens a long list and counts the rest', () => {
  const games = Array.from({ length: 8 }, (_, index) => game(`G${index}`, 0.9));
  expect(gamesReachingStake(games, 20)).toMatch(/^G0 90\.00\s%, .*G4 90\.00\s% and 3 more$/);
});

test.each([
  [game('Roulette', 0.5, 36 / 37), /^Commissions of 2\.70\s% or more .* 100\s%\.$/],
  [game('Jodi', 5, 0.5), /pays out at least as much as is staked on it/],
])('names the commissions that take the best bet of %o to 100 %%', (each, sentence) =>
  expect(returnSentence(each)).toMatch(sentence),
);

test('formats chances for people', () => {
  expect([1 / 37, 0.001, 6 / 1000].map(formatOneIn)).toEqual(['1 in 37', '1 in 1,000', '1 in 166.7']);
});

test('only games in use whose raised pay returns more than is staked are paid too high', () => {
  const of = (gameId: string, pay: number, mark: 'above' | null) => ({
    gameId,
    returns: [{ bet: 'ap', mark }],
    pays: [{ head: 'ap', pay, default: 60 }],
  });
  const games = [
    of('catalogue', 60, 'above'),
    of('raised', 61, 'above'),
    of('unused', 61, 'above'),
    of('low', 61, null),
  ];
  const used = new Set(['catalogue', 'raised', 'low']);
  expect(gamesPaidTooHigh(games, used).map(({ gameId }) => gameId)).toEqual(['raised']);
});
