import {
  MAY_BE_NEGATIVE,
  TRANSFER_KINDS,
  type TransferKind,
  type WalletKind,
} from '@drawhouse/rules/records/ledger-kinds';
import { arrayOf, sql, type Sql } from '../platform/db/sql/sql.ts';
import type { Tx } from '../platform/db/database.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Services } from '../platform/services.ts';

export interface LockedWallet {
  /** Number within the network. Null for {@link RelativeWallet}, whose balance and version are relative. */
  readonly id: number | null;
  readonly kind: WalletKind;
  balance: bigint;
  /** Number of transfers, which count from 1 without gaps. */
  version: bigint;
}

export interface Movement {
  readonly from: LockedWallet;
  readonly to: LockedWallet;
  readonly amount: bigint;
  readonly kind: TransferKind;
  readonly actorId: string | null;
  /** Ticket, draw, or other half of a cross-network transfer. */
  readonly reference: string | null;
  readonly note?: string;
  /** May pass below zero if a later movement of the same statement covers it. */
  readonly isCoveredLater?: boolean;
}

type SharedFields = Omit<Movement, 'kind' | 'note'>;

/** Shares its kind with all others of its statement, and has no note. */
type MovementOfKind = SharedFields & { readonly kind?: never; readonly note?: never };

/** Locked by the statement itself and updated relative to its current balance. All movements go to it. */
export interface RelativeWallet {
  readonly wallet: Sql;
  readonly kind: TransferKind;
  readonly gets: bigint;
  readonly atMost: bigint | undefined;
}

type MovementsToWrite =
  | { readonly movements: readonly Movement[]; readonly countsOn?: undefined }
  | { readonly movements: readonly MovementOfKind[]; readonly countsOn: RelativeWallet };

export type Stamp = { readonly at: Date } & Pick<Services, 'newId' | 'events'>;

interface TransferSql {
  readonly wallets: Sql;
  /** In order, columns from `id` on. */
  readonly transfers: Sql;
  readonly gives?: Sql;
}

/** The only SQL that inserts transfers. If `open` is false, books are closed and the transaction must fail. */
function writing(networkId: number, at: Date, { wallets, transfers, gives = sql`` }: TransferSql): Sql {
  return sql`with ${wallets}, written as (
    insert into transfers (network_id, at, id, from_wallet, to_wallet, from_balance, to_balance, from_version, to_version, amount, kind,
                           actor_id, reference, note)
    select ${networkId}::int, ${at}::timestamptz, t.* from (${transfers}) as t
  ) select enter_books(${networkId}::int) as open ${gives}`;
}

export async function writeComputed<R extends object>(
  tx: Tx,
  networkId: number,
  at: Date,
  written: TransferSql,
): Promise<R | undefined> {
  const [row] = await tx.query<{ open: boolean }>(writing(networkId, at, written));
  if (row && !row.open) throw new CallError('NETWORK_RESTORING');
  return row as R | undefined;
}

type Column = readonly [name: string, array: Sql];

function column<T>(
  name: string,
  type: string,
  of: readonly T[],
  value: (one: T) => string | number | bigint | null,
): Column {
  return [name, sql`${arrayOf(of.map((one) => value(one) ?? 'null'))}::${sql.raw(type)}[]`];
}

/** Rows named `new`, numbered by `nth`. */
function unnest(columns: readonly Column[]): Sql {
  const names = columns.map(([name]) => sql.raw(name));
  return sql`unnest(${sql.join(columns.map(([, array]) => array))}) with ordinality as new (${sql.join(names)}, nth)`;
}

/** Moves in memory, in order. */
function moveEach(movements: readonly SharedFields[]): { from: LockedWallet; to: LockedWallet }[] {
  const isOverdrawn = ({ balance, kind }: LockedWallet): boolean => balance < 0n && !MAY_BE_NEGATIVE.has(kind);
  const sides = movements.map(({ from, to, amount, isCoveredLater }) => {
    if (amount <= 0n) throw new Error('The amount of a posting must be positive.');
    from.balance -= amount;
    to.balance += amount;
    if (isOverdrawn(from) && isCoveredLater !== true) throw new CallError('INSUFFICIENT_CREDIT');
    from.version++;
    to.version++;
    return { from: { ...from }, to: { ...to } };
  });
  if (movements.some(({ from }) => isOverdrawn(from))) throw new CallError('INSUFFICIENT_CREDIT');
  return sides;
}

/**
 * Writes in order; each movement is the next version of both wallets. An exceeded {@link RelativeWallet} limit fails
 * the statement by a null wallet. Throws INSUFFICIENT_CREDIT, which invalidates the locked wallets.
 */
export function writeMovements(
  networkId: number,
  { at, newId }: Pick<Stamp, 'at' | 'newId'>,
  order: MovementsToWrite,
): { readonly ids: readonly string[]; readonly statement: Sql } {
  const { countsOn } = order;
  const movements: readonly SharedFields[] = order.movements;
  const sides = moveEach(movements);
  const ids = movements.map(() => newId());
  const changed = [...new Set(movements.flatMap(({ from, to }) => [from, to]))].filter(({ id }) => id !== null);
  const { wallet, gets, atMost = null } = countsOn ?? {};
  const counted = countsOn
    ? sql`counted as (
        update wallets w set balance = balance + ${gets}::bigint, version = version + ${movements.length}::int
        where ${wallet} and balance + ${gets}::bigint <= coalesce(${atMost}::bigint, balance + ${gets}::bigint)
        returning id, balance - ${gets}::bigint as balance, version - ${movements.length}::int as version), `
    : sql``;
  const left: Column[] = [
    column('id', 'int', changed, ({ id }) => id),
    column('balance', 'bigint', changed, ({ balance }) => balance),
    column('version', 'bigint', changed, ({ version }) => version),
  ];
  // Each array costs every row, so stakes send what all share as one value.
  const rows: Column[] = [
    column('id', 'uuid', ids, (id) => id),
    column('from_wallet', 'int', sides, ({ from }) => from.id),
    column('from_balance', 'bigint', sides, ({ from }) => from.balance),
    column('to_balance', 'bigint', sides, ({ to }) => to.balance),
    column('from_version', 'bigint', sides, ({ from }) => from.version),
    column('amount', 'bigint', movements, ({ amount }) => amount),
    column('actor_id', 'uuid', movements, ({ actorId }) => actorId),
    column('reference', 'uuid', movements, ({ reference }) => reference),
  ];
  if (!order.countsOn) {
    const own = order.movements;
    const notes = own.some(({ note }) => note) ? own.map(({ note }) => note ?? '') : null;
    rows.push(
      column('to_wallet', 'int', sides, ({ to }) => to.id),
      column('to_version', 'bigint', sides, ({ to }) => to.version),
      column('kind', 'smallint', own, ({ kind }) => TRANSFER_KINDS[kind]),
      ['note', sql`${notes}::text[]`],
    );
  }
  const statement = writing(networkId, at, {
    wallets: sql`${counted}changed as (
      update wallets w set balance = new.balance, version = new.version ${countsOn ? sql`, staked = new.version` : sql``}
      from ${unnest(left)} where w.network_id = ${networkId}::int and w.id = new.id
    )`,
    transfers: countsOn
      ? sql`select new.id, from_wallet, c.id, from_balance, c.balance + to_balance, from_version, c.version + nth, amount,
          ${TRANSFER_KINDS[countsOn.kind]}::smallint, actor_id, reference, ''
        from ${unnest(rows)} left join counted c on true`
      : sql`select id, from_wallet, to_wallet, from_balance, to_balance, from_version, to_version, amount, kind, actor_id,
          reference, coalesce(note, '')
        from ${unnest(rows)} order by nth`,
  });
  return { ids, statement };
}
