import type { LiveTable } from '@drawhouse/contract/live/live-tables';
import { hundredthsIn, pointsOf, sumPoints } from '@drawhouse/contract/core/primitives';
import { compareNames, hasAllWords } from '../../../lib/format/format.ts';
import { clockTarget, phaseAt } from '../drawClock.ts';
import { share } from '../panel/panelMath.ts';

export interface LiveTableFilter {
  search?: string | undefined;
  admin?: string | undefined;
  game?: string | undefined;
}

export const TABLE_ORDERS = ['due', 'worst', 'exposure', 'collection'] as const;
export type TableOrder = (typeof TABLE_ORDERS)[number];

export function liveTableKey({ adminId, gameId }: Pick<LiveTable, 'adminId' | 'gameId'>): string {
  return `${adminId}/${gameId}`;
}

/** True if a person must confirm a result, or enter an outside one. */
export function isAwaited({ saved, awaited }: Pick<LiveTable, 'saved' | 'awaited'>): boolean {
  return saved?.waits === true || awaited.length > 0;
}

function dueAt(table: LiveTable, serverNow: number): number | null {
  const target = clockTarget(table, phaseAt(table, serverNow));
  return target === null ? null : Date.parse(target);
}

export function inOrder(tables: readonly LiveTable[], order: TableOrder, serverNow: number): LiveTable[] {
  switch (order) {
    case 'due':
      return byDue(tables, serverNow);
    case 'worst':
      return byNumber(tables, (table) => (table.worst === null ? Infinity : worstLeaves(table, true)));
    case 'exposure':
      return byNumber(tables, (table) => -exposureOf(table).part);
    case 'collection':
      return byNumber(tables, ({ collection }) => -collection);
  }
}

function byNumber(tables: readonly LiveTable[], numberOf: (table: LiveTable) => number): LiveTable[] {
  const numbers = new Map(tables.map((table) => [table, numberOf(table)]));
  return tables.toSorted((a, b) => {
    const [one, other] = [numbers.get(a)!, numbers.get(b)!];
    return one === other ? 0 : one - other;
  });
}

function byDue(tables: readonly LiveTable[], serverNow: number): LiveTable[] {
  const places = new Map(tables.map((table) => [table, dueAt(table, serverNow) ?? Infinity]));
  return tables.toSorted((a, b) => {
    const awaited = Number(isAwaited(b)) - Number(isAwaited(a));
    const [dueA, dueB] = [places.get(a)!, places.get(b)!];
    return awaited !== 0 || dueA === dueB ? awaited : dueA - dueB;
  });
}

export function filtered(tables: readonly LiveTable[], { search = '', admin, game }: LiveTableFilter): LiveTable[] {
  return tables.filter(
    (table) =>
      (admin === undefined || table.adminId === admin) &&
      (game === undefined || table.gameId === game) &&
      hasAllWords(`${table.gameName} ${table.username}`, search),
  );
}

/** Uses booster 1, or the highest possible. Negative if the house pays on top. */
export function worstLeaves({ collection, worst }: Pick<LiveTable, 'collection' | 'worst'>, boosted = false): number {
  const pays = (boosted ? (worst?.boosted ?? worst)?.pays : worst?.pays) ?? 0;
  return pointsOf(hundredthsIn(collection) - hundredthsIn(pays));
}

export interface TableExposure {
  part: number;
  zero: number;
  /** Points until the table refuses bets. */
  room: number;
  level: 'low' | 'below' | 'full';
}

const FULL_FROM = 0.9;

export function exposureOf({ exposure: { takes, balance, line } }: Pick<LiveTable, 'exposure'>): TableExposure {
  const [costs, funds] = [hundredthsIn(takes), hundredthsIn(balance)];
  const whole = funds + hundredthsIn(line);
  const shareOf = (points: bigint): number => {
    if (points <= 0n) return 0;
    return whole > 0n ? share(pointsOf(points), pointsOf(whole)) : 1;
  };
  const part = shareOf(costs);
  const zero = shareOf(funds);
  return {
    part,
    zero,
    room: pointsOf(whole > costs ? whole - costs : 0n),
    level: part >= FULL_FROM ? 'full' : costs > 0n && costs > funds ? 'below' : 'low',
  };
}

export function numberPart({ fullest, perNumber }: Pick<LiveTable, 'fullest' | 'perNumber'>): number | null {
  return perNumber === null ? null : Math.min(1, fullest / perNumber);
}

export interface SummedTables {
  tables: number;
  awaited: number;
  collection: number;
  worst: { table: LiveTable; leaves: number } | null;
}

export function sumLiveTables(tables: readonly LiveTable[]): SummedTables {
  let worst: SummedTables['worst'] = null;
  for (const table of tables) {
    if (table.worst === null) continue;
    const leaves = worstLeaves(table);
    if (worst === null || leaves < worst.leaves) worst = { table, leaves };
  }
  return {
    tables: tables.length,
    awaited: tables.filter(isAwaited).length,
    collection: sumPoints(tables.map(({ collection }) => collection)),
    worst,
  };
}

export interface Option {
  value: string;
  label: string;
}

export function optionsOf(tables: readonly LiveTable[]): { admins: Option[]; games: Option[] } {
  const unique = (pairs: readonly (readonly [string, string])[]): Option[] =>
    [...new Map(pairs)].map(([value, label]) => ({ value, label })).toSorted((a, b) => compareNames(a.label, b.label));
  return {
    admins: unique(tables.map(({ adminId, username }) => [adminId, username])),
    games: unique(tables.map(({ gameId, gameName }) => [gameId, gameName])),
  };
}

/** New rows go to the end. */
export function inFrozenOrder(sorted: readonly LiveTable[], frozen: readonly string[] | null): readonly LiveTable[] {
  if (frozen === null) return sorted;
  const indexes = new Map(frozen.map((key, index) => [key, index]));
  const indexOf = (table: LiveTable): number => indexes.get(liveTableKey(table)) ?? frozen.length;
  return sorted.toSorted((a, b) => indexOf(a) - indexOf(b));
}

/** Safari drops table roles from grid layouts. Spread as props, because lint refuses literal roles as redundant. */
export const AS = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;
