import { BUILT_IN_GAMES } from '@drawhouse/rules/games/catalogue';
import { expect, it } from 'vitest';
import { foundGames, sectionsOf } from './gameSections.ts';

const game = (gameId: string, lastPlayedAt: string | null = null) => {
  const { gameName, family } = BUILT_IN_GAMES.find((each) => each.gameId === gameId)!;
  return { gameId, gameName, family, lastPlayedAt };
};
const namesOf = (games: readonly { gameId: string }[]) => games.map(({ gameId }) => gameId);

it('shows pinned games first, then the last played, then the rest by kind', () => {
  const at = '2026-01-31T12:00:00.000Z';
  const played = ['gkroulette', 'fruit12', 'duskadum', 'triplefun', 'horse12'].map((id) => game(id, at));
  const others = ['luckycard12', 'andarbahar', 'funtargetbingo', 'jodi', 'miniroulette'].flatMap((id) =>
    BUILT_IN_GAMES.some(({ gameId }) => gameId === id) ? [game(id)] : [],
  );
  const sections = sectionsOf([...played, ...others], new Set(['fruit12', 'andarbahar', 'gone']));
  expect(sections.map(({ kind, games }) => [kind, namesOf(games)])).toEqual([
    ['pinned', ['fruit12', 'andarbahar']],
    ['played', ['gkroulette', 'duskadum', 'triplefun', 'horse12']],
    ['wheels', ['miniroulette']],
    ['cards', ['luckycard12']],
    ['numbers', ['funtargetbingo']],
  ]);
});

it('has a kind for every built-in game', () => {
  const sections = sectionsOf(
    BUILT_IN_GAMES.map(({ gameId }) => game(gameId)),
    new Set(),
  );
  expect(sections.map(({ kind, games }) => `${kind} ${games.length}`)).toEqual([
    'wheels 7',
    'cards 5',
    'pictures 5',
    'balls 6',
    'numbers 5',
    'lotteries 4',
  ]);
});

it('finds games by words in any case, with or without accents', () => {
  const games = ['Fun Target Bingo', 'Roulette 36', 'Fête Roulette'].map((gameName) => ({
    ...game('roulette36'),
    gameName,
  }));
  const found = (text: string) => foundGames(games, text).map(({ gameName }) => gameName);
  expect(found('ROUL')).toEqual(['Roulette 36', 'Fête Roulette']);
  expect(found('fete roulette')).toEqual(['Fête Roulette']);
  expect(found('bingo target')).toEqual(['Fun Target Bingo']);
  expect(found('dice')).toEqual([]);
});
