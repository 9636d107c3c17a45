import { expect, test, describe } from 'vitest';
import { builtInGame } from '@drawhouse/rules/games/catalogue';
import { layoutOf } from '@drawhouse/rules/panel/layout';
import { rulesFor } from '@drawhouse/rules/games/rules';
import { wheelLayout, wheelPlaces } from './wheelLayout.ts';

const COLUMNS = 13;

test('the table is upright on a phone and when cells would be too narrow', () => {
  expect(wheelLayout(1_000, COLUMNS, true).upright).toBe(true);
  expect(wheelLayout(13 * 50, COLUMNS, false).upright).toBe(false);
  expect(wheelLayout(13 * 50 - 1, COLUMNS, false).upright).toBe(true);
});

test('wider cells show more, and upright ones give room to the number', () => {
  expect(wheelLayout(800, COLUMNS, false).detail).toBe('least');
  expect(wheelLayout(13 * 84 + 12 * 4, COLUMNS, false)).toEqual({ upright: false, widthPx: 84, detail: 'pays' });
  expect(wheelLayout(13 * 140 + 12 * 4, COLUMNS, false).detail).toBe('names');
  expect(wheelLayout(3 * 140 + 2 * 4, COLUMNS, true)).toEqual({ upright: true, widthPx: 96, detail: 'least' });
  expect(wheelLayout(3 * 184 + 2 * 4, COLUMNS, true).detail).toBe('names');
});

test('resizing changes cell sizes only every few pixels', () => {
  const rooms = new Set(
    Array.from({ length: 52 }, (_, px) => wheelLayout(13 * 84 + 12 * 4 + px, COLUMNS, false).widthPx),
  );
  expect([...rooms]).toEqual([84]);
});

function tableOf(gameId: string, upright: boolean): string[] {
  const game = builtInGame(gameId)!;
  const { outcomes } = rulesFor(game);
  const lines: string[][] = [];
  for (const [outcome, { gridColumn, gridRow }] of wheelPlaces(layoutOf(game).sections[0]!.rows, upright)) {
    const [column, columns] = gridColumn.split(' / span ').map(Number) as [number, number];
    const [row, rows] = gridRow.split(' / span ').map(Number) as [number, number];
    for (let y = row - 1; y < row - 1 + rows; y++)
      for (let x = column - 1; x < column - 1 + columns; x++) {
        expect((lines[y] ??= [])[x], `two cells at ${x}, ${y}`).toBeUndefined();
        lines[y]![x] = outcomes[outcome]!.drawno;
      }
  }
  return lines.map((line) => line.join(' '));
}

describe('the table of a wheel', () => {
  test('one zero spans three rows with threes on top', () => {
    expect(tableOf('miniroulette', false)).toEqual(['0 3 6 9 12', '0 2 5 8 11', '0 1 4 7 10']);
    const [top, middle, bottom] = tableOf('europeanroulette', false);
    expect(top).toMatch(/^0 3 6 9 .* 36$/);
    expect(middle).toMatch(/^0 2 5 .* 35$/);
    expect(bottom).toMatch(/^0 1 4 .* 34$/);
  });

  test('two zeros share the edge: 0 beside 1, 00 beside 3', () => {
    const lines = tableOf('roulette', false);
    expect(lines.map((line) => line.split(' ').slice(0, 2))).toEqual([
      ['00', '3'],
      ['00', '3'],
      ['00', '2'],
      ['0', '2'],
      ['0', '1'],
      ['0', '1'],
    ]);
  });

  test('upright, zeros are on top and numbers run left to right', () => {
    expect(tableOf('miniroulette', true)).toEqual(['0 0 0', '1 2 3', '4 5 6', '7 8 9', '10 11 12']);
    expect(tableOf('funroulette', true).slice(0, 2)).toEqual(['0 0 0 00 00 00', '1 1 2 2 3 3']);
    expect(tableOf('funroulette', true)).toHaveLength(13);
  });
});
