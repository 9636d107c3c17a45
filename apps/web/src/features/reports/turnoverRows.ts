import { sumPoints } from '@drawhouse/contract/primitives';
import type { TurnoverRow } from '@drawhouse/contract/reports';
import { formatPoints } from '../../lib/format.ts';

/** The columns of points, in the order of the table. */
export const POINT_COLUMNS = [
  { id: 'playPoints', header: 'Play Points' },
  { id: 'winPoints', header: 'Win Points' },
  { id: 'endPoints', header: 'End Points' },
  { id: 'supercom', header: 'Super' },
  { id: 'distcom', header: 'Distributor' },
  { id: 'retailcom', header: 'Retailer' },
  { id: 'usercom', header: 'User' },
  { id: 'net', header: 'Net' },
] as const;

/** The name of a column of points. */
export type PointColumn = (typeof POINT_COLUMNS)[number]['id'];

/** The Total of every column of points. */
export type TurnoverTotals = Record<PointColumn, number>;

/** Sums every column of points exactly, in hundredths. */
export function totalsOf(rows: readonly TurnoverRow[]): TurnoverTotals {
  const sum = (column: PointColumn) => sumPoints(rows.map((row) => row[column]));
  return {
    playPoints: sum('playPoints'),
    winPoints: sum('winPoints'),
    endPoints: sum('endPoints'),
    supercom: sum('supercom'),
    distcom: sum('distcom'),
    retailcom: sum('retailcom'),
    usercom: sum('usercom'),
    net: sum('net'),
  };
}

/** The narrowest that each column of points is, in px: as wide as its head. */
const HEAD_WIDTHS: Record<PointColumn, number> = {
  playPoints: 108,
  winPoints: 108,
  endPoints: 108,
  supercom: 84,
  distcom: 108,
  retailcom: 88,
  usercom: 88,
  net: 108,
};
const CHARACTER_WIDTH = 7.5;
const CELL_PADDING = 24;

/** How wide a column of points is, in px: no wider than its longest amount and its head need, so that Net is in sight. */
export function columnWidth(column: PointColumn, rows: readonly TurnoverRow[], total: number): number {
  const longest = Math.max(...[total, ...rows.map((row) => row[column])].map((points) => formatPoints(points).length));
  return Math.max(HEAD_WIDTHS[column], Math.ceil(longest * CHARACTER_WIDTH) + CELL_PADDING);
}

/** What the table is ordered by. */
export interface TurnoverSort {
  id: 'username' | PointColumn;
  desc: boolean;
}

/** The order that an address asks for, `net` or `-net`; `null` leaves the server's. */
export function readSort(text: unknown): TurnoverSort | null {
  if (typeof text !== 'string') return null;
  const desc = text.startsWith('-');
  const name = desc ? text.slice(1) : text;
  const id = name === 'username' ? name : POINT_COLUMNS.find((column) => column.id === name)?.id;
  return id === undefined ? null : { id, desc };
}

/** An order as an address says it. */
export function sortText(sort: { id: string; desc: boolean }): string {
  return sort.desc ? `-${sort.id}` : sort.id;
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** The rows in order; rows that are equal keep theirs. */
export function sortedRows(rows: readonly TurnoverRow[], sort: TurnoverSort | null): readonly TurnoverRow[] {
  if (!sort) return rows;
  const { id, desc } = sort;
  const compare = (a: TurnoverRow, b: TurnoverRow): number =>
    id === 'username' ? collator.compare(a.username, b.username) : a[id] - b[id];
  return rows.toSorted((a, b) => (desc ? compare(b, a) : compare(a, b)));
}

/** A whole number from 1 in an address, else what to use instead. */
export function readCount(value: unknown, otherwise: number): number {
  const count = Number(value);
  return Number.isInteger(count) && count >= 1 && count <= 1_000_000 ? count : otherwise;
}
