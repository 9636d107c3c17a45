import { allOf, sql, type Sql, type Vouched } from './sql/sql.ts';
import { singleNetwork, crossNetworkComment } from './cross-network-sql.ts';

declare const judged: unique symbol;
/**
 * Selects rows visible to a caller. Required by every list and sum, and created only in this file, so no other
 * condition compiles in its place.
 */
export type Predicate = Sql & { readonly [judged]: true };

declare const whole: unique symbol;
/** Fully below the caller. Created only by {@link wholeNetworks}. */
export type Networks = readonly number[] & Vouched & { readonly [whole]: true };

/** The signed-in account, never an account asked about. */
export interface Viewer {
  readonly id: string;
  readonly networkId: number;
  /** Games whose panels it may open. Empty or missing: all. */
  readonly games?: readonly string[];
}

const asPredicate = (condition: Sql): Predicate => condition as Predicate;

/** Includes the caller's account, but no deleted ones. Required in every query on accounts. */
export function inSubtree(alias: string, { id }: Pick<Viewer, 'id'>): Predicate {
  const a = sql.raw(alias);
  return asPredicate(sql`(${a}.chain @> array[${id}]::uuid[] and ${a}.deleted_at is null)`);
}

/** Includes deleted accounts, for history; also for rows with a stored account chain. */
export function inSubtreeEver(alias: string, { id }: Viewer): Predicate {
  return asPredicate(sql`${sql.raw(alias)}.chain @> array[${id}]::uuid[]`);
}

export function ownedByColumn(column: string, { id }: Viewer): Predicate {
  return asPredicate(sql`${sql.ref(column)} = ${id}`);
}

export function inOwnNetwork(alias: string, { networkId }: Viewer): Predicate {
  return asPredicate(sql`${sql.raw(alias)}.network_id = ${networkId}`);
}

/** Vouches that these networks are fully below the caller. For lookup code only. */
export function wholeNetworks(lookedUp: readonly number[]): Networks {
  return lookedUp as Networks;
}

export function inNetworks(alias: string, networks: Networks): Predicate {
  const one = singleNetwork(networks);
  const networkMatch =
    one === undefined ? sql`any(${networks}::int[]) ${sql.raw(crossNetworkComment('superadmin'))}` : sql`${one}::int`;
  return asPredicate(sql`${sql.raw(alias)}.network_id = ${networkMatch}`);
}

interface Brand {
  readonly from: Sql;
  readonly authority: Predicate;
}

/** Compares admins: restores change the network's number, and no index covers it. */
export function accountsOfNetworks(alias: string, networks: Networks): Predicate {
  return asPredicate(
    sql`${sql.raw(alias)}.chain[2] = any(array(select admin_id from networks where id = any(${networks}::int[])))`,
  );
}

export function relatedToVisible({ from, where, authority }: Brand & { readonly where: Sql }): Predicate {
  return asPredicate(sql`exists (${selectVisible({ select: sql``, from, authority, where })})`);
}

/** Rows with `column` among keys of visible rows. Keys are read once. */
export function inVisibleKeys(column: string, { key, from, authority }: Brand & { readonly key: Sql }): Predicate {
  return asPredicate(sql`${sql.ref(column)} = any(array(${selectVisible({ select: key, from, authority })}))`);
}

export function narrowPredicate(predicate: Predicate, condition: Sql): Predicate {
  return asPredicate(sql`(${predicate} and (${condition}))`);
}

export function eitherOf(one: Predicate, other: Predicate): Predicate {
  return asPredicate(sql`(${one} or ${other})`);
}

/** Public data needs no restriction. Callers state why. */
export function allRows(_reason: string): Predicate {
  return asPredicate(sql`true`);
}

/** Rows of the installation itself have no account. For superadmins only. */
export function ofInstallation(column: string): Predicate {
  return asPredicate(sql`${sql.ref(column)} is null`);
}

export const NO_ROWS: Predicate = asPredicate(sql`false`);

/**
 * Optionally aggregates `by` something. All sums and counts of visible data use it, or a key that was itself found by a
 * predicate.
 */
export function selectVisible({
  select,
  from,
  authority,
  where,
  by,
}: {
  readonly select: Sql;
  readonly from: Sql;
  readonly authority: Predicate;
  readonly where?: Sql | undefined;
  readonly by?: Sql;
}): Sql {
  const all = allOf([...(where ? [sql`(${where})`] : []), authority]);
  return sql`select ${select} from ${from} where ${all} ${by ? sql`group by ${by}` : sql``}`;
}
