import type { TransferKind, WalletKind } from '@drawhouse/rules/ledger-kinds';
import { MAY_BE_NEGATIVE, TRANSFER_KINDS } from '@drawhouse/rules/ledger-kinds';
import { arrayOf } from '../db/array-of.ts';
import type { Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import { CallError } from '../http/http-errors.ts';
import type { Services } from '../services.ts';

/** A wallet that this transaction has locked, as the postings so far have left it. */
export interface LockedWallet {
  /** Its number within the network; null: the wallet of {@link CountedOn}, whose balance and version count from 0. */
  readonly id: number | null;
  readonly kind: WalletKind;
  balance: bigint;
  /** How many transfers it was in: each has its number in the wallet's history, from 1 without a gap. */
  version: bigint;
}

/** A movement between two locked wallets. */
export interface Movement {
  readonly from: LockedWallet;
  readonly to: LockedWallet;
  /** In hundredths, above zero. */
  readonly amount: bigint;
  readonly kind: TransferKind;
  readonly actorId: string | null;
  readonly reference: string | null;
  readonly note?: string;
}

/** A wallet `w` that is locked by the statement alone and counts on from what it then holds, up to a most where there is one. */
export interface CountedOn {
  readonly wallet: Sql;
  readonly gets: bigint;
  readonly atMost: bigint | undefined;
}

/** When credit moves, and what it is moved by. */
export type Stamp = { readonly at: Date } & Pick<Services, 'newId' | 'events'>;

/** Transfers in SQL. */
interface Written {
  /** CTEs that bring their wallets up to date. */
  readonly wallets: Sql;
  /** A SELECT of the transfers, in order, with the columns from `id` on. */
  readonly transfers: Sql;
  /** What the statement gives beside `open`, from the CTEs. */
  readonly gives?: Sql;
}

/**
 * SQL that writes transfers with the wallets that they change: the only place that inserts transfers. Gives `open`, which is false while the books of
 * the network are closed: then the transaction must fail.
 */
function writing(networkId: number, at: Date, { wallets, transfers, gives = sql`` }: Written): Sql {
  return sql`with ${wallets}, written as (
    insert into transfers (network_id, at, id, from_wallet, to_wallet, from_balance, to_balance, from_version, to_version, amount, kind,
                           actor_id, reference, note)
    select ${networkId}::int, ${at}::timestamptz, t.* from (${transfers}) as t
  ) select enter_books(${networkId}::int) as open ${gives}`;
}

/** Writes transfers that SQL computes. Returns what the statement gives. Throws NETWORK_RESTORING while the books are closed. */
export async function writeComputed<R extends object>(
  tx: Tx,
  networkId: number,
  at: Date,
  written: Written,
): Promise<R | undefined> {
  const [given] = await tx.query<{ open: boolean }>(writing(networkId, at, written));
  if (given && !given.open) throw new CallError('NETWORK_RESTORING');
  return given as R | undefined;
}

/** SQL for columns of values as arrays, for `unnest`. */
function columns(
  ...lists: readonly (readonly [type: string, values: readonly (string | number | bigint | null)[]])[]
): Sql {
  return sql.join(
    lists.map(([type, values]) => sql`${arrayOf(values.map((value) => value ?? 'null'))}::${sql.raw(type)}[]`),
  );
}

/** Makes movements, in order, on the wallets. Gives what each side is after each. Throws INSUFFICIENT_CREDIT when one cannot pay. */
function moveEach(movements: readonly Movement[]): { from: LockedWallet; to: LockedWallet }[] {
  return movements.map(({ from, to, amount }) => {
    if (amount <= 0n) throw new Error('A posting moves more than nothing.');
    if (from.balance < amount && !MAY_BE_NEGATIVE.has(from.kind)) throw new CallError('INSUFFICIENT_CREDIT');
    from.balance -= amount;
    to.balance += amount;
    from.version++;
    to.version++;
    return { from: { ...from }, to: { ...to } };
  });
}

/**
 * SQL that makes movements, in order, and leaves their wallets as it returns. Each transfer is the next version of both its wallets. A wallet that
 * it counts on gets no more than it may: else the transfers fail for the wallet that they lack. Throws INSUFFICIENT_CREDIT when a wallet cannot pay;
 * the locked wallets then are of no use any more.
 */
export function writeMovements(
  networkId: number,
  { at, newId }: Pick<Stamp, 'at' | 'newId'>,
  movements: readonly Movement[],
  countsOn?: CountedOn,
): { readonly ids: readonly string[]; readonly statement: Sql } {
  const sides = moveEach(movements);
  const ids = movements.map(() => newId());
  const changed = [...new Set(movements.flatMap(({ from, to }) => [from, to]))].filter(({ id }) => id !== null);
  const { wallet, gets, atMost = null } = countsOn ?? {};
  const counted = countsOn
    ? sql`update wallets w set balance = balance + ${gets}::bigint, version = version + ${movements.length}::int
        where ${wallet} and balance + ${gets}::bigint <= coalesce(${atMost}::bigint, balance + ${gets}::bigint)
        returning id, balance - ${gets}::bigint as balance, version - ${movements.length}::int as version`
    : sql`select null::int as id, 0::bigint as balance, 0::bigint as version`;
  const left = columns(
    ['int', changed.map(({ id }) => id)],
    ['bigint', changed.map(({ balance }) => balance)],
    ['bigint', changed.map(({ version }) => version)],
  );
  const rows = columns(
    ['uuid', ids],
    ['int', sides.map(({ from }) => from.id)],
    ['int', sides.map(({ to }) => to.id)],
    ['bigint', sides.map(({ from }) => from.balance)],
    ['bigint', sides.map(({ to }) => to.balance)],
    ['bigint', sides.map(({ from }) => from.version)],
    ['bigint', sides.map(({ to }) => to.version)],
    ['bigint', movements.map(({ amount }) => amount)],
    ['smallint', movements.map(({ kind }) => TRANSFER_KINDS[kind])],
    ['uuid', movements.map(({ actorId }) => actorId)],
    ['uuid', movements.map(({ reference }) => reference)],
  );
  // Most rows have no note: an array that is null has none for any of them.
  const notes = movements.some(({ note }) => note) ? movements.map(({ note }) => note ?? '') : null;
  const statement = writing(networkId, at, {
    wallets: sql`counted as (${counted}), changed as (
      update wallets w set balance = new.balance, version = new.version ${countsOn ? sql`, staked = new.version` : sql``}
      from unnest(${left}) as new (id, balance, version) where w.network_id = ${networkId}::int and w.id = new.id
    )`,
    transfers: sql`select m.id, from_wallet, coalesce(to_wallet, c.id), from_balance, c.balance + to_balance, from_version, c.version + to_version,
        amount, kind, actor_id, reference, coalesce(note, '')
      from unnest(${rows}, ${notes}::text[]) with ordinality
        as m (id, from_wallet, to_wallet, from_balance, to_balance, from_version, to_version, amount, kind, actor_id, reference, note, nth)
      left join counted c on true order by nth`,
  });
  return { ids, statement };
}
