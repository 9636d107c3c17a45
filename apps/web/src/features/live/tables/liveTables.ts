import type { LiveTable } from '@drawhouse/contract/live/live-tables';
import { hundredthsIn, pointsOf, sumPoints } from '@drawhouse/contract/frame/primitives';
import { hasAllWords } from '../../../lib/hasAllWords.ts';
import { clockTarget, phaseAt } from '../drawClock.ts';

/** By what all panels are narrowed; what is undefined narrows nothing. */
export interface LiveTableFilter {
  search?: string | undefined;
  /** The id of an admin. */
  admin?: string | undefined;
  /** The key of a game. */
  game?: string | undefined;
}

/** What tells a table from all others. */
export function liveTableKey({ adminId, gameId }: Pick<LiveTable, 'adminId' | 'gameId'>): string {
  return `${adminId}/${gameId}`;
}

/** Whether a person has to confirm the saved result of a table before it is drawn. */
export function isAwaited({ saved }: Pick<LiveTable, 'saved'>): boolean {
  return saved?.waits === true;
}

/** When the next thing happens at a table by its clock, in milliseconds; null where no draw runs or follows. */
function dueAt(table: LiveTable, serverNow: number): number | null {
  const target = clockTarget(table, phaseAt(table, serverNow));
  return target === null ? null : Date.parse(target);
}

/** The tables in the order in which they are due: first those that wait for a person. Those that are due together stay as they come. */
export function byDue(tables: readonly LiveTable[], serverNow: number): LiveTable[] {
  const places = new Map(tables.map((table) => [table, dueAt(table, serverNow) ?? Infinity]));
  return tables.toSorted((a, b) => {
    const awaited = Number(isAwaited(b)) - Number(isAwaited(a));
    const [dueA, dueB] = [places.get(a)!, places.get(b)!];
    return awaited !== 0 || dueA === dueB ? awaited : dueA - dueB;
  });
}

/** The tables that a filter leaves. */
export function filtered(tables: readonly LiveTable[], { search = '', admin, game }: LiveTableFilter): LiveTable[] {
  return tables.filter(
    (table) =>
      (admin === undefined || table.adminId === admin) &&
      (game === undefined || table.gameId === game) &&
      hasAllWords(`${table.gameName} ${table.username}`, search),
  );
}

/** What the worst result of a table leaves of its collection, with booster 1 or the highest that may be drawn; below zero the house pays on top. */
export function worstLeaves({ collection, worst }: Pick<LiveTable, 'collection' | 'worst'>, boosted = false): number {
  const pays = (boosted ? worst?.boosted?.pays : worst?.pays) ?? 0;
  return pointsOf(hundredthsIn(collection) - hundredthsIn(pays));
}

/** What tables come to together. */
export interface SummedTables {
  tables: number;
  awaited: number;
  collection: number;
  /** The least that a result would leave at one table, with booster 1; null while nothing is staked at any. */
  worst: { table: LiveTable; leaves: number } | null;
}

/** Adds tables up. */
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

/** Something to choose from, by its name. */
export interface Option {
  value: string;
  label: string;
}

/** The admins and the games that tables are of, each once, by their names. */
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

/** Rows in the order that was shown before, as long as that is held; what is new stands at the end. */
export function inFrozenOrder(sorted: readonly LiveTable[], frozen: readonly string[] | null): readonly LiveTable[] {
  if (frozen === null) return sorted;
  const indexes = new Map(frozen.map((key, index) => [key, index]));
  const indexOf = (table: LiveTable): number => indexes.get(liveTableKey(table)) ?? frozen.length;
  return sorted.toSorted((a, b) => indexOf(a) - indexOf(b));
}
