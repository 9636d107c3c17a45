import type { WallTable } from '@drawhouse/contract/players/wall';
import { expect, test } from 'vitest';
import { chosenTables, readWallAddress, shownGame, wallAddress, wallNews } from './wallTables.ts';

const NOW = '2026-03-10T10:00:00.000Z';

function table(gameId: string, ...draws: readonly string[]): WallTable {
  return {
    gameId,
    gameName: gameId,
    family: 'numbers',
    digits: 10,
    images: [],
    draw: null,
    nextOpensAt: null,
    awaited: [],
    results: draws.map((drawId) => ({
      drawId,
      drawno: '7',
      result: { drawno: '7' },
      booster: 1,
      source: 'generated',
      number: 1,
      drawsAt: '2026-03-10T09:59:58.000Z',
      outside: null,
      correctedAt: null,
    })),
  };
}

const ids = (tables: readonly WallTable[]) => tables.map(({ gameId }) => gameId);

test('an address keeps key, chosen games and seconds', () => {
  for (const address of [
    { key: 'dhw_a-b_c', games: [], seconds: 10 },
    { key: 'dhw_a', games: ['fruit12', 'pFvIwZHj!'], seconds: 30 },
  ]) {
    const url = new URL(wallAddress('https://a.example', address));
    expect(readWallAddress(url)).toEqual(address);
  }
  expect(wallAddress('https://a.example', { key: 'k', games: ['a', 'b'], seconds: 10 })).toBe(
    'https://a.example/wall/k?games=a,b',
  );
  expect(readWallAddress({ pathname: '/wall/k/', search: '?seconds=7' })).toEqual({ key: 'k', games: [], seconds: 10 });
});

test('shows the chosen tables in their order, and all if none is left', () => {
  const tables = [table('a'), table('b'), table('c')];
  expect(ids(chosenTables(tables, ['c', 'a', 'gone']))).toEqual(['c', 'a']);
  expect(ids(chosenTables(tables, []))).toEqual(['a', 'b', 'c']);
  expect(ids(chosenTables(tables, ['gone']))).toEqual(['a', 'b', 'c']);
});

test('news are recent results that were not there before', () => {
  const before = [table('a', 'one'), table('b', 'two')];
  const after = [table('a', 'one'), table('b', 'three', 'two'), table('new', 'four')];
  expect(wallNews(after, null, NOW)).toEqual([]);
  expect(wallNews(after, before, NOW)).toMatchObject([{ gameId: 'b', result: { drawId: 'three' } }]);
  expect(wallNews(after, before, '2026-03-10T10:01:00.000Z')).toEqual([]);
});

test('outcomes have the uploaded pictures, if any', () => {
  expect(shownGame(table('titlisorrat')).data[0]).toMatchObject({ image: null });
  expect(shownGame({ ...table('a'), images: ['/i/0'] }).data.slice(0, 2)).toMatchObject([
    { image: '/i/0' },
    { image: null },
  ]);
});
