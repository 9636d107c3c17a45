import type { ListFilter } from '@drawhouse/contract/core/list-filters';
import { hundredthsOf } from '@drawhouse/contract/core/primitives';
import type { Queryable } from '../db/database.ts';
import { containing, allOf, sql, type Readable, type Sql } from '../db/sql/sql.ts';
import { selectVisible, type Predicate } from '../db/visibility-predicate.ts';
import type { AnyList, Described, Expressed, Expression, Found, FilterSql, Aggregation } from './list-source.ts';

export interface AnySource {
  readonly from: Sql;
  readonly authority: Predicate;
  readonly where?: Sql | undefined;
  readonly summed?: Aggregation;
  readonly isNarrowed?: boolean;
  readonly key: Sql;
  readonly select: Sql;
  readonly toRow: (stored: never) => unknown;
  readonly search?: (pattern: string) => Sql;
  readonly reading: 'rows' | 'keysFirst' | 'atOnce';
  readonly countAll?: () => Promise<number | undefined>;
  readonly extra?: (found: Found) => object;
  readonly fileName?: string;
  readonly of?: () => Described | Promise<Described>;
  readonly order?: Readonly<Record<string, Expressed>>;
  readonly filters?: Readonly<Record<string, FilterSql>>;
  readonly totals?: Readonly<Record<string, Sql>>;
}

export type AnyQuery = Readonly<Record<string, unknown>>;

export interface Wanted {
  readonly source: AnySource;
  readonly isNarrowed: boolean;
  readonly where: Sql;
  readonly joins: readonly Sql[];
  readonly orderJoins: readonly Sql[];
  readonly order: Expression;
  readonly descending: boolean;
}

export interface Slice {
  readonly limit: number;
  readonly offset?: number;
  readonly next?: { readonly to: unknown; readonly backwards?: true };
}

export function wantedOf(list: AnyList, source: AnySource, query: AnyQuery, sort: string = list.order): Wanted {
  const conditions = list.filters.flatMap((filter) =>
    conditionsOf(filter, source.filters?.[filter.name] ?? null, query),
  );
  const pattern = containing(query['search'] as string | undefined);
  if (pattern !== null && source.search) conditions.push({ by: source.search(pattern) });
  const by = (query['sort'] as string | undefined) ?? sort;
  const order = expression(source.order?.[by.replace('-', '')] ?? source.key);
  const joins = [...new Set(conditions.flatMap(({ join }) => join ?? []))];
  const seen = [source.authority, ...(source.where ? [source.where] : [])];
  const { summed } = source;
  return {
    source: summed ? { ...source, from: sumsOfRows(source, summed) } : source,
    isNarrowed: conditions.length > 0 || source.isNarrowed === true,
    where: allOf([...(summed ? [] : seen), ...conditions.map((each) => each.by)]),
    joins,
    orderJoins: order.join && !joins.includes(order.join) ? [order.join] : [],
    order,
    descending: by.startsWith('-'),
  };
}

function sumsOfRows({ from, authority, where }: AnySource, { select, by, as }: Aggregation): Sql {
  return sql`(${selectVisible({ select, from, authority, where, by })}) ${as}`;
}

/** Rows in key order let slices start at a key. */
export function isByKey({ order, source }: Wanted): boolean {
  return order.by === source.key;
}

export async function findAll(on: Queryable, wanted: Wanted): Promise<Found> {
  const { source, isNarrowed, joins, where } = wanted;
  const counted = isNarrowed ? undefined : await source.countAll?.();
  if (counted !== undefined && !source.totals) return { total: counted, sums: {} };
  const [row] = await on.query<Sums>(
    sql`select ${sumsOf(source, sql``)} from ${source.from} ${sql.join(joins, sql` `)} where ${where}`,
  );
  return foundIn(row!, source);
}

export async function readPage(
  on: Queryable,
  wanted: Wanted,
  { limit, offset }: { limit: number; offset: number },
): Promise<Found & { readonly stored: object[] }> {
  const { source } = wanted;
  // Without an index, every row is visited anyway, so the count comes along.
  const atOnce = source.reading === 'atOnce' || (source.reading === 'keysFirst' && wanted.isNarrowed);
  if (atOnce) {
    const rows = await readSlice<Sums & { key: string }>(on, wanted, { limit, offset }, { withSums: true });
    // Past the end, no row carries the count.
    const found = rows[0] ? foundIn(rows[0], source) : await findAll(on, wanted);
    return { ...found, stored: await completed(on, source, rows) };
  }
  const found = await findAll(on, wanted);
  // Reads the second half from the end, so the last page costs as little as the first.
  const length = Math.max(0, Math.min(limit, found.total - offset));
  const fromEnd = offset > found.total / 2;
  const slice = { limit: length, offset: fromEnd ? found.total - offset - length : offset };
  const rows = length === 0 ? [] : await readSlice<{ key: string }>(on, wanted, slice, { backwards: fromEnd });
  return { ...found, stored: await completed(on, source, fromEnd ? rows.toReversed() : rows) };
}

export function readSlice<R extends object & Readable<R>>(
  on: Queryable,
  wanted: Wanted,
  { limit, offset = 0, next }: Slice,
  options: { backwards?: boolean; withSums?: boolean } = {},
): Promise<R[]> {
  const { source, where, order, descending } = wanted;
  const backwards = options.backwards === true || next?.backwards === true;
  const direction = sql.raw(descending === backwards ? 'asc' : 'desc');
  const beyond = next && sql`and ${source.key} ${sql.raw(descending === backwards ? '>' : '<')} ${next.to}`;
  const nulls = order.nullable ? sql.raw(descending === backwards ? 'nulls first' : 'nulls last') : sql``;
  return on.query<R>(sql`select ${source.key} as key ${source.reading === 'keysFirst' ? sql`` : sql`, ${source.select}`}
               ${options.withSums ? sql`, ${sumsOf(source, sql`over ()`)}` : sql``}
        from ${source.from} ${sql.join([...wanted.joins, ...wanted.orderJoins], sql` `)}
        where ${where} ${beyond ?? sql``}
        order by ${isByKey(wanted) ? sql`` : sql`${order.by} ${direction} ${nulls},`} ${source.key} ${direction}
        limit ${limit} offset ${offset}`);
}

/** Returns rows in key order; drops rows no longer visible. */
export function readByKeys(on: Queryable, source: AnySource, keys: readonly string[]): Promise<object[]> {
  if (keys.length === 0) return Promise.resolve([]);
  return on.query(sql`select ${source.select} from unnest(${keys}::uuid[]) with ordinality as picked (key, nth), ${source.from}
        where ${source.key} = picked.key and ${source.authority} order by picked.nth`);
}

function completed(on: Queryable, source: AnySource, rows: readonly { key: string }[]): Promise<object[]> | object[] {
  return source.reading === 'keysFirst'
    ? readByKeys(
        on,
        source,
        rows.map(({ key }) => key),
      )
    : [...rows];
}

type Sums = Readonly<Record<string, bigint>>;

const sumName = (name: string): string => `sum of ${name}`;

function sumsOf({ totals = {} }: AnySource, over: Sql): Sql {
  return sql.join([
    sql`count(*) ${over} as ${sql.ref(sumName('rows'))}`,
    ...Object.entries(totals).map(
      ([name, summed]) => sql`coalesce(sum(${summed}) ${over}, 0)::bigint as ${sql.ref(sumName(name))}`,
    ),
  ]);
}

function foundIn(row: Sums, { totals = {} }: AnySource): Found {
  return {
    total: Number(row[sumName('rows')]),
    sums: Object.fromEntries(Object.keys(totals).map((name) => [name, row[sumName(name)]!])),
  };
}

function expression(of: Expressed): Expression {
  return 'by' in of ? of : { by: of };
}

function conditionsOf(filter: ListFilter, how: FilterSql, query: AnyQuery): Expression[] {
  const [first, second] = Object.keys(filter.fields).map((field) => query[field]);
  if (how === null || (first === undefined && second === undefined)) return [];
  if (typeof how === 'function') return [expression(how(first as string))];
  const { by, join } = expression(how);
  if (filter.kind === 'id') return [{ by: sql`${by} = ${first}`, join }];
  const value = (end: unknown): unknown =>
    filter.kind === 'points' ? hundredthsOf(end as number) : new Date(end as string);
  return [
    ...(first === undefined ? [] : [{ by: sql`${by} >= ${value(first)}`, join }]),
    ...(second === undefined ? [] : [{ by: sql`${by} <= ${value(second)}`, join }]),
  ];
}
