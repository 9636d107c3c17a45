import { type CellValue, type Freshness, type List, type ListColumn, valueOf } from '@drawhouse/contract/core/list';
import { ROLES, sumPoints, type Role } from '@drawhouse/contract/core/primitives';

/** A page of one cell. */
export interface ListAnswer {
  readonly total: number;
  readonly totalIsMore?: boolean;
  readonly totals?: Readonly<Record<string, number>>;
  readonly older?: string | null;
  readonly newer?: string | null;
  readonly searchedTo?: string | null;
  /** Keyset lists: of each row. */
  readonly cursors?: readonly string[];
  readonly freshness?: Freshness;
  readonly [field: string]: unknown;
}

export type Row = Record<string, unknown>;
type Compare = (one: Row, other: Row) => number;

const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** The order of a list's SQL, as nearly as rows show it. */
export function orderOf(list: Pick<List, 'columns' | 'order'>, sort: string | undefined): Compare {
  const by = sort ?? list.order;
  const isDescending = by.startsWith('-');
  const column = list.columns.find(({ name }) => name === by.replace('-', '')) as ListColumn<Row>;
  const compare: Compare =
    column.name === 'role'
      ? (one, other) => ROLES.indexOf(one['role'] as Role) - ROLES.indexOf(other['role'] as Role)
      : (one, other) => compareValues(column, valueOf(column, one), valueOf(column, other));
  return isDescending ? (one, other) => compare(other, one) : compare;
}

/** Nulls sort lowest. */
function compareValues({ kind }: ListColumn<Row>, one: CellValue, other: CellValue): number {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? -1 : 1;
  if (kind === 'text') return names.compare(String(one), String(other));
  if (typeof one === 'string') return one < String(other) ? -1 : 1;
  return Number(one) - Number(other);
}

/**
 * Merges sorted rows. Compares only the heads of the streams, so each row appears on one page even if `compare` orders
 * differently from SQL.
 */
export async function* mergeRows(streams: readonly AsyncIterator<Row>[], compare: Compare): AsyncGenerator<Row> {
  const heads = await Promise.all(streams.map((stream) => stream.next()));
  for (;;) {
    let first = -1;
    for (const [index, head] of heads.entries())
      if (!head.done && (first < 0 || compare(head.value, heads[first]!.value as Row) < 0)) first = index;
    if (first < 0) return;
    yield heads[first]!.value as Row;
    heads[first] = await streams[first]!.next();
  }
}

export async function takeRows(rows: AsyncIterable<Row>, from: number, count: number): Promise<Row[]> {
  const taken: Row[] = [];
  let index = 0;
  if (count > 0)
    for await (const row of rows) {
      if (index++ >= from) taken.push(row);
      if (taken.length === count) break;
    }
  return taken;
}

/** Sums the points of rows that have the same value. */
export function sumRowsBy(rows: readonly Row[], name: string): Row[] {
  return [...Map.groupBy(rows, (row) => row[name]).values()].map((same) =>
    Object.fromEntries(
      Object.entries(same[0]!).map(([field, value]) => [
        field,
        typeof value === 'string' || field === 'cell' ? value : sumPoints(same.map((row) => row[field] as number)),
      ]),
    ),
  );
}

export function sumTotals(answers: readonly ListAnswer[], totals: readonly string[]): object {
  if (totals.length === 0) return {};
  return {
    totals: Object.fromEntries(
      totals.map((name) => [name, sumPoints(answers.map((answer) => answer.totals?.[name] ?? 0))]),
    ),
  };
}

interface KeysetQuery {
  readonly isNewestFirst: boolean;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Cells give cursors of one kind: time and id, or an id that begins with its time. */
export function mergeKeysetPages(
  { rowsKey, countUpTo }: Pick<List, 'rowsKey' | 'countUpTo'>,
  answers: readonly ListAnswer[],
  { isNewestFirst, before, after, limit }: KeysetQuery,
): Pick<ListAnswer, 'total' | 'totalIsMore' | 'older' | 'newer'> & { rows: Row[] } {
  const goesOlder = before !== undefined || (after === undefined && isNewestFirst);
  const compare = (one: string, other: string): number => compareCursors(one, other) * (goesOlder ? -1 : 1);
  const rows = answers
    .flatMap((answer) => (answer[rowsKey] as Row[]).map((row, index) => ({ row, cursor: answer.cursors![index]! })))
    .toSorted((one, other) => compare(one.cursor, other.cursor));
  // A cell with more rows knows nothing beyond this cursor yet.
  const ends = answers.flatMap((answer) => (goesOlder ? answer.older : answer.newer) ?? []).toSorted(compare);
  const end = ends[0];
  const known = end === undefined ? rows : rows.filter(({ cursor }) => compare(cursor, end) <= 0);
  const page = known.slice(0, limit);
  const beyond =
    page.length < known.length || (page.length === limit && (end !== undefined || known.length < rows.length))
      ? page.at(-1)!.cursor
      : (end ?? null);
  const behinds = answers.flatMap((answer) => (goesOlder ? answer.newer : answer.older) ?? []);
  const behind = behinds.toSorted(compare)[0] ?? null;
  const total = answers.reduce((sum, answer) => sum + answer.total, 0);
  const totalIsMore = answers.some((answer) => answer.totalIsMore) || total > (countUpTo ?? Infinity);
  return {
    rows: (goesOlder === isNewestFirst ? page : page.toReversed()).map(({ row }) => row),
    total: Math.min(total, countUpTo ?? Infinity),
    totalIsMore,
    older: goesOlder ? beyond : behind,
    newer: goesOlder ? behind : beyond,
  };
}

function compareCursors(one: string, other: string): number {
  if (one === other) return 0;
  const [time, key] = one.split('_');
  const [otherTime, otherKey] = other.split('_');
  if (key === undefined || otherKey === undefined) return one < other ? -1 : 1;
  if (time === otherTime) return key < otherKey ? -1 : 1;
  return BigInt(time!) < BigInt(otherTime!) ? -1 : 1;
}
