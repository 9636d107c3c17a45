import type { List, ListRow } from '@drawhouse/contract/frame/list';
import type { Role } from '@drawhouse/contract/frame/primitives';
import type { RouteParsed } from '@drawhouse/contract/frame/route';
import type { Reader } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { Predicate } from '../predicate.ts';

/** A list of any shape: what is known of its rows and its query each source says. */
export type AnyList = List;
type NamesOf<L> = L extends { sorts: readonly (infer Sort)[]; totals: readonly (infer Total)[]; filters: infer Filters }
  ? { sort: Sort & string; total: Total & string; filter: (Filters & readonly { name: string }[])[number]['name'] }
  : never;

/** An expression by which rows are ordered or kept. */
export interface Expression {
  readonly by: Sql;
  /** What it needs beside the FROM: a join that finds at most one row for each. The same piece is joined once. */
  readonly join?: Sql;
  /** It may be null, which is then the least. */
  readonly nullable?: true;
}

/** An expression; alone where it needs nothing. */
export type Expressed = Sql | Expression;

/**
 * How a filter keeps rows. Of a choice: what each value keeps. Of the others the expression that must be the id, or lie between the
 * two ends, in hundredths or as an instant. Null where the source has it in its FROM.
 */
export type Kept = Expressed | ((value: string) => Expressed) | null;

type Given<Key extends string, Names extends string, Value> = [Names] extends [never]
  ? { readonly [K in Key]?: Readonly<Record<string, Value>> }
  : { readonly [K in Key]: { readonly [Name in Names]: Value } };

/** What matches, in number and in sum. Sums in hundredths, by the names of their columns. */
export interface Found {
  readonly total: number;
  readonly sums: Readonly<Record<string, bigint>>;
}

/**
 * How rows are summed of those that a source has, its authority and its conditions among them: what stands after SELECT, and by what they are
 * put together. All else that a source says is of the sums, called by `as`; they are read `atOnce`.
 */
export interface Summed {
  readonly select: Sql;
  readonly by: Sql;
  readonly as: Sql;
}

/** Where the rows of a list come from, for one request: all of it SQL, with the values of the request in it. */
export type ListSource<L, Stored extends object> = {
  /** What stands after FROM. */
  readonly from: Sql;
  /** What of that the caller may see: of `summed` before it is. */
  readonly authority: Predicate;
  /** What its rows are in any case. */
  readonly where?: Sql;
  /** Each row is the sum of many. */
  readonly summed?: Summed;
  /** Whether something of the query beside search and filters keeps less than the whole list. */
  readonly isNarrowed?: boolean;
  /** Tells rows apart and orders those that are alike otherwise. A UUID. */
  readonly key: Sql;
  /** What stands after SELECT. */
  readonly select: Sql;
  readonly toRow: (stored: Stored) => ListRow<L>;
  /** What a text that is searched keeps; `pattern` is for LIKE. */
  readonly search?: (pattern: string) => Sql;
  /**
   * How it is read. `rows`: as they are. `keysFirst`, where a row costs more than its place in the order: the keys of a page or a file
   * first, then their rows. `atOnce`, where rows, number and sums are made by the same work: all of them by one statement.
   */
  readonly reading: 'rows' | 'keysFirst' | 'atOnce';
  /** How many there are where nothing narrows it, if that is known for less than it costs to count; else undefined. */
  readonly countAll?: () => Promise<number | undefined>;
  /** What the answer has beside the rows. */
  readonly extra?: (found: Found) => object;
  /** The name of its files, without an ending, where it is not the list's. */
  readonly fileName?: string;
  /** What its files say of which rows these are, by labels: whose they are, or who is meant by a filter that is an id. */
  readonly of?: () => Described | Promise<Described>;
} & Given<'order', NamesOf<L>['sort'], Expressed> &
  Given<'filters', NamesOf<L>['filter'], Kept> &
  // How each total is summed, in hundredths.
  Given<'totals', NamesOf<L>['total'], Sql>;

/** What of a keyset list is read at once: a page and the row beyond it, a chunk of a file, or, without an order, what is counted. */
export interface Cut {
  /** Whatever a row must be: the authority, the source's own conditions, search, filters, and on which side of the cursor it lies. */
  readonly where: Sql;
  /** On which side of the cursor it must lie: of `where` what changes from page to page. */
  readonly beyond: Sql;
  /** The cursor; undefined at an end of the order. */
  readonly to: string | undefined;
  /** ORDER BY; empty where rows are only counted. */
  readonly order: Sql;
  /** False where rows are only counted: any of them do, and nothing stands beside them. */
  readonly isOrdered: boolean;
  readonly limit: number;
  /** Whether the newest come first. */
  readonly goesOlder: boolean;
  /** The time of the row next to which it begins, where it does and the source has a `time`. */
  readonly nextTo: Sql | undefined;
}

/**
 * Where the rows of a list with `paging: 'keyset'` come from. They are in the order of `time` and `key`, or of `key` alone where that
 * sorts by time, as UUIDv7 do: the order, the pages next to a row, the bounded count and the files follow from it. An index in that order
 * lets any page cost what the first does; conditions of filters then need no joins (`Expression.join` is joined behind the FROM).
 */
export type KeysetSource<L, Stored extends object> = Omit<
  ListSource<L, Stored>,
  'from' | 'key' | 'reading' | 'summed' | 'order' | 'totals' | 'countAll' | 'extra'
> & {
  /**
   * What stands after FROM. Where rows lie in several ranges of an index, as those of several networks do, it is made for each cut, so
   * that each range is cut by itself: `networks n cross join lateral (select … where … and ${cut.where} ${cut.order} limit ${cut.limit}) t`.
   * The conditions, the order and the limit are said again outside: what a source does with them is for speed alone.
   */
  readonly from: Sql | ((cut: Cut) => Sql | Promise<Sql>);
  /** A UUID. */
  readonly key: Sql;
  /** The time that goes before the key, where keys don't sort by it; the contract then has `cursor: timedCursor` (transactions.ts). */
  readonly time?: Sql;
  /** What the answer has beside the rows. */
  readonly extra?: () => object | Promise<object>;
  /**
   * No index answers its search: rows are looked through for it, for two seconds at most (`lookThrough`). The contract then has
   * `extra: searchedTo`, which says how far that came.
   */
  readonly looksThrough?: true;
  /** What this request asks for beside a search that no index answers either: rows are looked through for it too. */
  readonly lookedFor?: Sql;
};

/** What tells which rows are in a file, by labels for people. */
export type Described = Readonly<Record<string, string>>;

/** What a source is made for: who asks, and for what. */
export interface ListRequest<L, C> {
  readonly actor: C;
  readonly params: L extends { route: infer R } ? RouteParsed<R>['params'] : never;
  readonly query: L extends { route: infer R } ? RouteParsed<R>['query'] : never;
  readonly on: Reader;
  readonly at: Date;
  /** The time zone of the server's days. */
  readonly timeZone: string;
}

/** Whoever asks for a list. */
export interface Asking {
  readonly id: string;
  readonly username: string;
  readonly role: Role;
}
