import type { LiveTable } from '@drawhouse/contract/live/live-tables';
import { expect, test } from 'vitest';
import {
  exposureOf,
  filtered,
  inFrozenOrder,
  inOrder,
  liveTableKey,
  numberPart,
  optionsOf,
  sumLiveTables,
  worstLeaves,
} from './liveTables.ts';

const NOW = Date.parse('2026-03-10T10:00:00.000Z');
const at = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString();

type Draw = NonNullable<LiveTable['draw']>;

function table(
  gameName: string,
  more: Omit<Partial<LiveTable>, 'draw'> & { drawsIn?: number; status?: Draw['status'] } = {},
): LiveTable {
  const { drawsIn, status = 'open', ...rest } = more;
  return {
    gameId: gameName.toLowerCase(),
    gameName,
    family: 'numbers',
    digits: 10,
    image: null,
    adminId: 'north',
    username: 'north',
    testNetwork: false,
    resultMode: 'open',
    draw:
      drawsIn === undefined
        ? null
        : {
            _id: gameName,
            number: 1,
            opensAt: at(drawsIn - 60),
            closesAt: at(drawsIn - 5),
            drawsAt: at(drawsIn),
            outside: null,
            status,
          },
    nextOpensAt: null,
    awaited: [],
    collection: 0,
    worst: null,
    fullest: 0,
    perNumber: null,
    exposure: { takes: 0, balance: 0, line: 0 },
    saved: null,
    last: null,
    ...rest,
  };
}

const saved = (waits: boolean) => ({ result: '7', booster: 1, byId: 'x', by: 'x', waits });
const names = (tables: readonly LiveTable[]) => tables.map(({ gameName }) => gameName);

test('sorts pending first, then next due, then arrival', () => {
  const tables = [
    table('Never'),
    table('Late', { drawsIn: 300 }),
    table('B', { drawsIn: 30 }),
    table('A', { drawsIn: 30 }),
    table('Over', { drawsIn: 10, status: 'settled', nextOpensAt: at(45) }),
    table('Overdue', { drawsIn: -2, status: 'closed' }),
    table('Saved', { drawsIn: 20, status: 'closed', saved: saved(false) }),
    table('Awaited late', { drawsIn: 200, status: 'closed', saved: saved(true) }),
    table('Awaited', { drawsIn: 100, status: 'closed', saved: saved(true) }),
    table('Next', { nextOpensAt: at(40) }),
  ];
  expect(names(inOrder(tables, 'due', NOW))).toEqual([
    'Awaited',
    'Awaited late',
    'Overdue',
    'Saved',
    'B',
    'A',
    'Next',
    'Over',
    'Late',
    'Never',
  ]);
});

test('a search matches words of game and admin in any order, with filters', () => {
  const tables = [
    table('Fun Target'),
    table('Fun Roulette', { adminId: 's', username: 'south' }),
    table('Fruit', { adminId: 's', username: 'south' }),
  ];
  expect(names(filtered(tables, {}))).toEqual(['Fun Target', 'Fun Roulette', 'Fruit']);
  expect(names(filtered(tables, { search: ' SOUTH fun ' }))).toEqual(['Fun Roulette']);
  expect(names(filtered(tables, { admin: 's' }))).toEqual(['Fun Roulette', 'Fruit']);
  expect(names(filtered(tables, { admin: 's', game: 'fruit' }))).toEqual(['Fruit']);
  expect(names(filtered(tables, { search: 'nothing' }))).toEqual([]);
});

test("sums are exact, and the worst case is one table's", () => {
  const worst = (pays: number) => ({
    result: '7',
    outcome: { drawno: '7' },
    pays,
    boosted: { booster: 20, pays: pays * 20 },
  });
  const tables = [
    table('A', { collection: 0.1, worst: worst(0.3) }),
    table('B', { collection: 100, worst: worst(900), saved: saved(true) }),
    table('C', { collection: 0.2 }),
  ];
  expect(sumLiveTables(tables)).toEqual({
    tables: 3,
    awaited: 1,
    collection: 100.3,
    worst: { table: tables[1], leaves: -800 },
  });
  expect(sumLiveTables([table('A')]).worst).toBeNull();
  expect(worstLeaves(tables[0]!)).toBe(-0.2);
  expect(worstLeaves(tables[1]!, true)).toBe(-17_900);
});

test('sorts by largest loss, fullest table and collection', () => {
  const worst = (pays: number, booster = 1) => ({
    result: '7',
    outcome: { drawno: '7' },
    pays,
    boosted: booster === 1 ? null : { booster, pays: pays * booster },
  });
  const tables = [
    table('None'),
    table('Small', { collection: 10, worst: worst(90), exposure: { takes: 80, balance: 0, line: 100 } }),
    table('Boosted', { collection: 5, worst: worst(45, 20), exposure: { takes: 895, balance: 5_000, line: 0 } }),
    table('Large', { collection: 900, worst: worst(600), exposure: { takes: 0, balance: 0, line: 0 } }),
  ];
  expect(names(inOrder(tables, 'worst', NOW))).toEqual(['Boosted', 'Small', 'Large', 'None']);
  expect(names(inOrder(tables, 'exposure', NOW))).toEqual(['Small', 'Boosted', 'None', 'Large']);
  expect(names(inOrder(tables, 'collection', NOW))).toEqual(['Large', 'Small', 'Boosted', 'None']);
});

test('exposure is measured against balance and line', () => {
  const of = (takes: number, balance: number, line: number) => exposureOf({ exposure: { takes, balance, line } });
  expect(of(0, 100, 300)).toEqual({ part: 0, zero: 0.25, room: 400, level: 'low' });
  expect(of(100, 100, 300)).toEqual({ part: 0.25, zero: 0.25, room: 300, level: 'low' });
  expect(of(200, 100, 300)).toEqual({ part: 0.5, zero: 0.25, room: 200, level: 'below' });
  expect(of(360, 100, 300)).toMatchObject({ room: 40, level: 'full' });
  expect(of(10, -200, 100)).toEqual({ part: 1, zero: 0, room: 0, level: 'full' });
  expect(of(0, 0, 0)).toEqual({ part: 0, zero: 0, room: 0, level: 'low' });
});

test('the fullest number is measured against its limit', () => {
  expect(numberPart({ fullest: 40, perNumber: null })).toBeNull();
  expect(numberPart({ fullest: 40, perNumber: 160 })).toBe(0.25);
  expect(numberPart({ fullest: 400, perNumber: 160 })).toBe(1);
});

test('lists admins and games once, by name', () => {
  const tables = [
    table('Fruit 12', { adminId: '10', username: 'admin 10' }),
    table('Fruit 12', { adminId: '9', username: 'admin 9' }),
    table('Bingo', { adminId: '9', username: 'admin 9' }),
  ];
  expect(optionsOf(tables)).toEqual({
    admins: [
      { value: '9', label: 'admin 9' },
      { value: '10', label: 'admin 10' },
    ],
    games: [
      { value: 'bingo', label: 'Bingo' },
      { value: 'fruit 12', label: 'Fruit 12' },
    ],
  });
});

test('a held order keeps rows in place and appends new ones', () => {
  const [a, b, c] = [table('A'), table('B'), table('C')];
  expect(names(inFrozenOrder([a, b, c], null))).toEqual(['A', 'B', 'C']);
  expect(names(inFrozenOrder([a, b, c], [liveTableKey(c), liveTableKey(b)]))).toEqual(['C', 'B', 'A']);
});
