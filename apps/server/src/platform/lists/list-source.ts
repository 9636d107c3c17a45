import type { Caller } from '../http/handler.ts';
import type { List, ListRow } from '@drawhouse/contract/core/list';
import type { RouteParsed } from '@drawhouse/contract/core/route';
import type { Reader } from '../db/database.ts';
import type { Sql } from '../db/sql/sql.ts';
import type { Predicate } from '../db/visibility-predicate.ts';

export type AnyList = List;
type NamesOf<L> = L extends { sorts: readonly (infer Sort)[]; totals: readonly (infer Total)[]; filters: infer Filters }
  ? { sort: Sort & string; total: Total & string; filter: (Filters & readonly { name: string }[])[number]['name'] }
  : never;

export interface Expression {
  readonly by: Sql;
  /** At most one match per row. Equal pieces are joined once. */
  readonly join?: Sql;
  /** Nulls sort lowest. */
  readonly nullable?: true;
}

export type Expressed = Sql | Expression;

/** For a choice, SQL per value; otherwise the expression to match or range over. Null if FROM already applies it. */
export type FilterSql = Expressed | ((value: string) => Expressed) | null;

type Given<Key extends string, Names extends string, Value> = [Names] extends [never]
  ? { readonly [K in Key]?: Readonly<Record<string, Value>> }
  : { readonly [K in Key]: { readonly [Name in Names]: Value } };

/** By column name. */
export interface Found {
  readonly total: number;
  readonly sums: Readonly<Record<string, bigint>>;
}

/**
 * Applied to rows after authority and conditions. Everything else refers to the sums, named `as`. Requires `atOnce`.
 */
export interface Aggregation {
  readonly select: Sql;
  readonly by: Sql;
  readonly as: Sql;
}

export type ListSource<L, Stored extends object> = {
  readonly from: Sql;
  /** With `summed`, applied before summing. */
  readonly authority: Predicate;
  readonly where?: Sql;
  readonly summed?: Aggregation;
  /** Query fields other than search and filters narrow the list. */
  readonly isNarrowed?: boolean;
  /** Unique UUID; breaks ties. */
  readonly key: Sql;
  readonly select: Sql;
  readonly toRow: (stored: Stored) => ListRow<L>;
  readonly search?: (pattern: string) => Sql;
  /**
   * `rows`: directly. `keysFirst`: keys of a page, then rows, if rows are expensive. `atOnce`: rows, count and sums in
   * one statement, if they share the work.
   */
  readonly reading: 'rows' | 'keysFirst' | 'atOnce';
  /** Cheap total without filters. Undefined if counting is necessary. */
  readonly countAll?: () => Promise<number | undefined>;
  readonly extra?: (found: Found) => object;
  readonly fileName?: string;
  readonly of?: () => Described | Promise<Described>;
} & Given<'order', NamesOf<L>['sort'], Expressed> &
  Given<'filters', NamesOf<L>['filter'], FilterSql> &
  Given<'totals', NamesOf<L>['total'], Sql>;

/** One read: a page plus one row, a file chunk, or an unordered count. */
export interface Cut {
  /** All conditions: authority, source, search, filters, cursor side. */
  readonly where: Sql;
  readonly beyond: Sql;
  readonly to: string | undefined;
  readonly order: Sql;
  /** False for counts: any matching rows will do. */
  readonly isOrdered: boolean;
  readonly limit: number;
  readonly isDescending: boolean;
  /** Time of the cursor row, if the source has `time`. */
  readonly nextTo: Sql | undefined;
}

/**
 * Ordered by `time` and `key`, or by `key` alone for UUIDv7. Order, pages, bounded count and files follow from it. With
 * a matching index, every page costs the same. Filter conditions need no joins: `Expression.join` is appended after
 * FROM.
 */
export type KeysetSource<L, Stored extends object> = Omit<
  ListSource<L, Stored>,
  'from' | 'key' | 'reading' | 'summed' | 'order' | 'totals' | 'countAll' | 'extra'
> & {
  /**
   * For rows in several index ranges, such as several networks, a function per cut limits each range separately:
   * `networks n cross join lateral (select … where … and ${cut.where} ${cut.order} limit ${cut.limit}) t`. Conditions,
   * order and limit apply again outside, so inner use only affects speed.
   */
  readonly from: Sql | ((cut: Cut) => Sql | Promise<Sql>);
  readonly key: Sql;
  /** For keys without time order. The contract then needs `cursor: timedCursor` (transactions.ts). */
  readonly time?: Sql;
  readonly extra?: () => object | Promise<object>;
  /**
   * Searches without index scan rows for at most two seconds (`scanPage`). The contract then needs `extra: searchedTo`,
   * the point reached.
   */
  readonly isScanned?: true;
  readonly condition?: Sql;
};

export type Described = Readonly<Record<string, string>>;

export interface ListRequest<L, C> {
  readonly actor: C;
  readonly params: L extends { route: infer R } ? RouteParsed<R>['params'] : never;
  readonly query: L extends { route: infer R } ? RouteParsed<R>['query'] : never;
  readonly on: Reader;
  readonly at: Date;
  readonly timeZone: string;
}

export interface ListCaller extends Caller {
  readonly id: string;
  readonly username: string;
}
