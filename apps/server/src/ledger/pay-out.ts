import type { Tx } from '../platform/db/database.ts';
import { writeComputed, type Stamp } from './write-transfers.ts';
import { sql, type Sql } from '../platform/db/sql/sql.ts';
import { leastIdAt } from '../platform/db/sql/uuids.ts';
import { TRANSFER_KINDS, WALLET_KINDS, type TransferKind } from '@drawhouse/rules/records/ledger-kinds';
import { columnsOf, type WalletName } from './wallets.ts';

/** Generated and consumed in SQL. Made by the system, without an actor. */
export interface PayOut {
  readonly from: WalletName;
  /**
   * SELECT of `wallet_kind`, `owner_id` (receiver), `amount` (hundredths, positive), `kind` (transfer kind number),
   * `reference`, `step`, `order_key`. Ordered by the last two.
   */
  readonly postings: Sql;
  /** SELECT of `account_id`, `after`: new remainders of locked commission wallets. */
  readonly remainders?: Sql;
  readonly alsoLocks?: Sql;
  /** Income of the paying wallet before it pays, from a wallet locked last. */
  readonly collects?: {
    readonly from: WalletName;
    readonly amount: bigint;
    readonly kind: TransferKind;
    readonly reference: string;
  };
}

/**
 * Locks by number. {@link payOut} locks a paying or collected escrow last. Call once per transaction. Returns the
 * wallet count.
 */
export async function lockForPayOut(tx: Tx, networkId: number, { from, postings, alsoLocks }: PayOut): Promise<bigint> {
  const [locked] = await tx.query<{ wallets: bigint }>(sql`select count(*) as wallets from (
      select from wallets w where w.network_id = ${networkId}::int and w.id = any(array(
        select w.id from (select distinct wallet_kind, owner_id
          from (${postings}) as posted${alsoLocks ? sql` union ${alsoLocks}` : sql``}) as posted
        join wallets w on w.network_id = ${networkId}::int and w.owner_id = posted.owner_id and w.kind = posted.wallet_kind
        ${from.startsWith('escrow:') ? sql`` : sql`union all select w.id from wallets w where ${isWallet(from, networkId)}`}
      )) order by w.id for update
    ) as locked`);
  return locked!.wallets;
}

interface Owned {
  readonly owners: Sql;
  readonly kinds: readonly number[];
  readonly and: WalletName;
}

/** Locks by number, for a later {@link payOut}. Call once per transaction. */
export async function lockOwned(tx: Tx, networkId: number, { owners, kinds, and }: Owned): Promise<void> {
  await tx.query(sql`select count(*) from (
      select from wallets w where w.network_id = ${networkId}::int and w.id = any(array(
        select w.id from wallets w where w.network_id = ${networkId}::int and w.owner_id in (${owners})
          and w.kind = any(${kinds}::smallint[])
        union all select w.id from wallets w where ${isWallet(and, networkId)}
      )) order by w.id for update
    ) as locked`);
}

/**
 * Pays from locked wallets; take `at` under the lock. Each wallet changes once; versions follow posting order. Throws
 * on a missing wallet, overflow (SQLSTATE 22003), a forbidden negative balance, or closed books. The transaction is
 * unusable then.
 */
export async function payOut(
  tx: Tx,
  networkId: number,
  { at, newId }: Pick<Stamp, 'at' | 'newId'>,
  { from, postings, remainders, collects }: PayOut,
): Promise<void> {
  const gained = collects?.amount ?? 0n;
  // Version 7, with time and counter of one new id: found by their time, sorted after this millisecond's earlier ids.
  const id = sql`(${newId(leastIdAt(at)).slice(0, 18)}::text || substr(gen_random_uuid()::text, 19))::uuid`;
  const hub = await writeComputed<{ balance: bigint; version: bigint }>(tx, networkId, at, {
    wallets: sql`posted as materialized (${postings}),
    paid as (
      update wallets w set balance = w.balance + ${gained}::bigint - total.amount,
        version = w.version + ${collects ? 1 : 0}::int + total.count
      from (select coalesce(sum(amount), 0) as amount, count(*) as count from posted) as total where ${isWallet(from, networkId)}
      returning w.id, (w.balance + total.amount)::bigint as balance, (w.version - total.count)::bigint as version
    ),
    numbered as (
      select p.*, w.id as wallet, w.balance, w.version, count(*) over its as nth, sum(p.amount) over its as sum,
             count(*) over every as paid_nth, sum(p.amount) over every as paid_sum
      from posted p left join wallets w on w.network_id = ${networkId}::int and w.owner_id = p.owner_id and w.kind = p.wallet_kind
      window every as (order by p.step, p.order_key rows unbounded preceding),
             its as (partition by p.wallet_kind, p.owner_id order by p.step, p.order_key rows unbounded preceding)
    ),
    received as (
      update wallets w set balance = w.balance + got.amount, version = w.version + got.count
             ${remainders ? sql`, remainder = coalesce(got.remainder, w.remainder), carried = w.carried + got.carried` : sql``}
      from (
        select wallet, sum(amount) as amount, sum(count) as count, max(remainder) as remainder, count(remainder) as carried from (
          select wallet, amount, 1 as count, null::smallint as remainder
            from numbered ${remainders ? carriedBy(networkId, remainders) : sql``}
        ) as parts group by wallet
      ) as got where w.network_id = ${networkId}::int and w.id = got.wallet
    )`,
    transfers: sql`select ${id}, paid.id, n.wallet, paid.balance - n.paid_sum, n.balance + n.sum, paid.version + n.paid_nth,
        n.version + n.nth, n.amount, n.kind, null::uuid, n.reference, ''
      from numbered n cross join paid order by n.step, n.order_key`,
    gives: sql`, balance, version from paid`,
  });
  if (!hub) throw new Error(`No such wallet in network ${networkId}: ${from}`);
  if (!collects) return;
  const taken = await writeComputed<{ id: number }>(tx, networkId, at, {
    wallets: sql`taken as (
      update wallets w set balance = w.balance - ${gained}::bigint, version = w.version + 1 where ${isWallet(collects.from, networkId)}
      returning w.id, w.balance, w.version
    )`,
    transfers: sql`select ${id}, taken.id, w.id, taken.balance, ${hub.balance}::bigint, taken.version, ${hub.version}::bigint,
        ${gained}::bigint, ${TRANSFER_KINDS[collects.kind]}::smallint, null::uuid, ${collects.reference}::uuid, ''
      from taken, wallets w where ${isWallet(from, networkId)}`,
    gives: sql`, id from taken`,
  });
  if (!taken) throw new Error(`No such wallet in network ${networkId}: ${collects.from}`);
}

function carriedBy(networkId: number, remainders: Sql): Sql {
  return sql`union all select w.id, 0, 0, r.after from (${remainders}) as r
    join wallets w on w.network_id = ${networkId}::int and w.owner_id = r.account_id and w.kind = ${sql.lit(WALLET_KINDS.commission)}`;
}

/** Has {@link PayOut} lock columns. */
export function creditOfAdmin(networkId: number): Sql {
  return sql`(select ${WALLET_KINDS.credit}::smallint as wallet_kind, owner_id from wallets
    where network_id = ${networkId}::int and kind = ${WALLET_KINDS.boundary}::smallint order by id limit 1)`;
}

function isWallet(name: WalletName, networkId: number): Sql {
  const [[kind], [owner]] = columnsOf([name]);
  return sql`w.network_id = ${networkId}::int and w.owner_id = ${owner}::uuid and w.kind = ${kind}::smallint`;
}

// Commissions are exact to 1/10,000 of a hundredth. Whole hundredths are paid; the wallet carries the remainder to the
// next settlement.

export const remainderOf = (networkId: number, account: string): Sql =>
  sql`(select w.remainder from wallets w where w.network_id = ${networkId} and w.owner_id = ${sql.raw(account)}
    and w.kind = ${sql.lit(WALLET_KINDS.commission)})`;

/** A pay-out stores this number with the new remainder. */
export const nextCarried = (networkId: number, account: string): Sql =>
  sql`(select w.carried + 1 from wallets w where w.network_id = ${networkId} and w.owner_id = ${sql.raw(account)}
    and w.kind = ${sql.lit(WALLET_KINDS.commission)})`;

/**
 * Locks by number. Settlements call it before other wallet locks (see `LOCK_ORDER`): bets need none of these, and
 * remainders are read before settlements are written.
 */
export async function lockEarned(tx: Tx, networkId: number, accounts: Sql): Promise<void> {
  await tx.query(sql`select count(*) from (
      select from wallets w where w.network_id = ${networkId}::int and w.id = any(array(
        select w.id from (${accounts}) as earner (id)
        join wallets w on w.network_id = ${networkId}::int and w.owner_id = earner.id and w.kind = ${WALLET_KINDS.commission}
      )) order by w.id for update
    ) as locked`);
}
