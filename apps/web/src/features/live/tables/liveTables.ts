import type { LiveTable } from '@drawhouse/contract/live/live-tables';
import { hundredthsIn, pointsOf, sumPoints } from '@drawhouse/contract/core/primitives';
import { hasAllWords } from '../../../lib/format/hasAllWords.ts';
import { clockTarget, phaseAt } from '../drawClock.ts';

export interface LiveTableFilter {
  search?: string | undefined;
  admin?: string | undefined;
  game?: string | undefined;
}

export function liveTableKey({ adminId, gameId }: Pick<LiveTable, 'adminId' | 'gameId'>): string {
  return `${adminId}/${gameId}`;
}

export function isAwaited({ saved }: Pick<LiveTable, 'saved'>): boolean {
  return saved?.waits === true;
}

/** Milliseconds; null without a current or next draw. */
function dueAt(table: LiveTable, serverNow: number): number | null {
  const target = clockTarget(table, phaseAt(table, serverNow));
  return target === null ? null : Date.parse(target);
}

/** Tables awaiting a person come first. Ties keep their order. */
export function byDue(tables: readonly LiveTable[], serverNow: number): LiveTable[] {
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

/** Remainder after the worst result, with booster 1 or the highest possible. Negative if the house pays on top. */
export function worstLeaves({ collection, worst }: Pick<LiveTable, 'collection' | 'worst'>, boosted = false): number {
  const pays = (boosted ? worst?.boosted?.pays : worst?.pays) ?? 0;
  return pointsOf(hundredthsIn(collection) - hundredthsIn(pays));
}

export interface SummedTables {
  tables: number;
  awaited: number;
  collection: number;
  /** Smallest remainder at one table with booster 1; null without stakes. */
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
    [...new Map(pairs)]
      .map(([value, label]) => ({ value, label }))
      .toSorted((a, b) => a.label.localeCompare(b.label, 'en', { numeric: true }));
  return {
    admins: unique(tables.map(({ adminId, username }) => [adminId, username])),
    games: unique(tables.map(({ gameId, gameName }) => [gameId, gameName])),
  };
}

/** Keeps the frozen order; new rows go to the end. */
export function inFrozenOrder(sorted: readonly LiveTable[], frozen: readonly string[] | null): readonly LiveTable[] {
  if (frozen === null) return sorted;
  const indexes = new Map(frozen.map((key, index) => [key, index]));
  const indexOf = (table: LiveTable): number => indexes.get(liveTableKey(table)) ?? frozen.length;
  return sorted.toSorted((a, b) => indexOf(a) - indexOf(b));
}

/**
 * Explicit table roles: Safari drops them from elements with grid layout. Spread as props, because literal roles would
 * count as redundant.
 */
export const AS = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;
