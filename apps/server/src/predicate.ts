import { allOf, pieceOf, sql } from './db/sql.ts';
import type { Sql } from './db/sql.ts';
import type { Vouched } from './db/row.ts';
import { oneNetworkAmong, overNetworks } from './over-networks.ts';

declare const judged: unique symbol;
/**
 * A condition that keeps what a caller may see. Every list and every sum asks for one. They are made here alone, of whoever asks: no other
 * condition compiles in the place of one.
 */
export type Predicate = Sql & { readonly [judged]: true };

declare const whole: unique symbol;
/** Networks that an asker has as a whole: all in them is below it. {@link wholeNetworks} alone gives them. */
export type Networks = readonly number[] & Vouched & { readonly [whole]: true };

/** The signed-in account that asks. An account that it asks about is none. */
export interface Asker {
  readonly id: string;
  readonly networkId: number;
}

const kept = (condition: Sql): Predicate => condition as Predicate;

/**
 * The one subtree predicate, as text: the account named by `alias` is the asker or below it, and not deleted. `parameter` is the
 * placeholder that holds the asker's id. Every query that reads or changes accounts carries it in its WHERE clause.
 */
export function inSubtree(alias: string, parameter: string): string {
  return `(${alias}.chain @> array[${parameter}]::uuid[] and ${alias}.deleted_at is null)`;
}

/** The same as a piece: keeps the accounts, named by `alias`, that are there. */
export function below(alias: string, asker: Asker): Predicate {
  return kept(pieceOf(inSubtree(alias, '$1'), asker.id));
}

/** The same where deleted accounts stay in, for what they once did; or where `alias` names what has kept the chain of an account. */
export function everBelow(alias: string, { id }: Asker): Predicate {
  return kept(sql`${sql.raw(alias)}.chain @> array[${id}]::uuid[]`);
}

/** Keeps what names the asker in a column: its own, or what has the asker written on it as one above. */
export function ownBy(column: string, { id }: Asker): Predicate {
  return kept(sql`${sql.ref(column)} = ${id}`);
}

/** Keeps what is of the asker's own network, by `alias.network_id`. */
export function ofOwnNetwork(alias: string, { networkId }: Asker): Predicate {
  return kept(sql`${sql.raw(alias)}.network_id = ${networkId}`);
}

/** Vouches for networks that were looked up for an asker and that it has as a whole: for what looks them up, and for nothing else. */
export function wholeNetworks(lookedUp: readonly number[]): Networks {
  return lookedUp as Networks;
}

/** Keeps what is of networks that the asker has as a whole. */
export function ofNetworks(alias: string, networks: Networks): Predicate {
  const one = oneNetworkAmong(networks);
  const are =
    one === undefined ? sql`any(${networks}::int[]) ${sql.raw(overNetworks('superadmin'))}` : sql`${one}::int`;
  return kept(sql`${sql.raw(alias)}.network_id = ${are}`);
}

/** Rows that an authority keeps, of some tables. */
interface Kept {
  readonly from: Sql;
  readonly authority: Predicate;
}

/** Keeps the accounts of networks that the asker has as a whole, by their admins: a restore gives them another number, and no index has that. */
export function belowAdminsOf(alias: string, networks: Networks): Predicate {
  return kept(
    sql`${sql.raw(alias)}.chain[2] = any(array(select admin_id from networks where id = any(${networks}::int[])))`,
  );
}

/** Keeps what hangs on rows that an authority keeps: there is one of them that hangs together with it as `where` says. */
export function through({ from, where, authority }: Kept & { readonly where: Sql }): Predicate {
  return kept(sql`exists (${selectSeen({ select: sql``, from, authority, where })})`);
}

/** Keeps what has in a column one of the keys that rows have which an authority keeps; they are read once. */
export function throughKeys(column: string, { key, from, authority }: Kept & { readonly key: Sql }): Predicate {
  return kept(sql`${sql.ref(column)} = any(array(${selectSeen({ select: key, from, authority })}))`);
}

/** Keeps of what a predicate keeps the rows that a condition keeps too. */
export function narrowed(predicate: Predicate, condition: Sql): Predicate {
  return kept(sql`(${predicate} and (${condition}))`);
}

/** Keeps what one of two predicates keeps. */
export function eitherOf(one: Predicate, other: Predicate): Predicate {
  return kept(sql`(${one} or ${other})`);
}

/** Keeps everything, for the reason that is given: it is no secret of anybody. */
export function everything(_reason: string): Predicate {
  return kept(sql`true`);
}

/** Keeps nothing. */
export const NOTHING: Predicate = kept(sql`false`);

/**
 * SELECT of those rows alone that the authority keeps, or of what they come to, all together or put together `by` something. Whatever is
 * summed or counted of what a caller may see is read by it, or by the key of an account, a wallet, a ticket or a pair that was itself looked
 * up by a predicate (the kinds of a wallet's movements, the returns of a pair): that key says whose it is.
 */
export function selectSeen({
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
