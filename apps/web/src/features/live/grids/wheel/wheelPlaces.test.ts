import { builtInGame } from '@drawhouse/rules/games/catalogue';
import { layoutOf } from '@drawhouse/rules/panel/layout';
import { rulesFor } from '@drawhouse/rules/games/rules';
import { describe, expect, test } from 'vitest';
import { wheelPlaces } from './wheelPlaces.ts';

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
