import type { Tx } from '../db/database.ts';
import { writeComputed } from './write-transfers.ts';
import { sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import { TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/ledger-kinds';
import type { TransferKind } from '@drawhouse/rules/ledger-kinds';
import { columnsOf } from './wallets.ts';
import type { WalletName } from './wallets.ts';

/**
 * Postings out of one wallet, however many: they are made where they are, by SQL, and none of them is held here. The product itself makes
 * them, at a draw.
 */
export interface PayOut {
  /** The wallet that pays. */
  readonly from: WalletName;
  /**
   * A SELECT of the postings, with the columns `wallet_kind` and `owner_id` (whom to), `amount` (hundredths, above zero), `kind` (of
   * the transfer, as its number), `reference`, `step` and `order_key`: they are made in the order of these two.
   */
  readonly postings: Sql;
  /** A SELECT of the new remainders of commission wallets that are locked, with the columns `account_id` and `after`: each is carried once more. */
  readonly remainders?: Sql;
  /** A SELECT of other wallets that are to be locked with these, with the columns `wallet_kind` and `owner_id`. */
  readonly alsoLocks?: Sql;
  /** What the paying wallet gets first, from a wallet that is locked last of all. */
  readonly collects?: {
    readonly from: WalletName;
    readonly amount: bigint;
    readonly kind: TransferKind;
    readonly reference: string;
  };
}

/**
 * Locks the wallets of a pay-out in the order of their numbers, without the escrow where that is what pays or what is collected from:
 * {@link payOut} takes it last. To be called once a transaction. Gives how many there are.
 */
export async function lockForPayOut(tx: Tx, networkId: number, { from, postings, alsoLocks }: PayOut): Promise<bigint> {
  const [locked] = await tx.query<{ wallets: bigint }>(sql`select count(*) as wallets from (
      select from wallets w where w.network_id = ${networkId}::int and w.id = any(array(
        select w.id from (select distinct wallet_kind, owner_id from (${postings}) as posted${alsoLocks ? sql` union ${alsoLocks}` : sql``}) as posted
        join wallets w on w.network_id = ${networkId}::int and w.owner_id = posted.owner_id and w.kind = posted.wallet_kind
        ${from.startsWith('escrow:') ? sql`` : sql`union all select w.id from wallets w where ${isWallet(from, networkId)}`}
      )) order by w.id for update
    ) as locked`);
  return locked!.wallets;
}

/** Whose wallets are locked, of these kinds (their numbers), and one that pays them. */
interface Owned {
  /** A SELECT of the ids of accounts. */
  readonly owners: Sql;
  readonly kinds: readonly number[];
  readonly and: WalletName;
}

/** Locks the wallets of accounts in the order of their numbers, with the one that pays them, for a {@link payOut} to some of them. To be called once a transaction. */
export async function lockOwned(tx: Tx, networkId: number, { owners, kinds, and }: Owned): Promise<void> {
  await tx.query(sql`select count(*) from (
      select from wallets w where w.network_id = ${networkId}::int and w.id = any(array(
        select w.id from wallets w where w.network_id = ${networkId}::int and w.owner_id in (${owners}) and w.kind = any(${kinds}::smallint[])
        union all select w.id from wallets w where ${isWallet(and, networkId)}
      )) order by w.id for update
    ) as locked`);
}

/**
 * Makes a pay-out whose wallets are locked, at a time that was taken since: the next versions of the paying wallet in the order of the
 * postings, of each other one likewise, and one change of each wallet. Throws where a wallet does not exist or a sum is larger than
 * the books can hold (SQLSTATE 22003), where a wallet that may not would fall below zero, and while the books are closed; nothing can be used of the
 * transaction then.
 */
export async function payOut(
  tx: Tx,
  networkId: number,
  at: Date,
  { from, postings, remainders, collects }: PayOut,
): Promise<void> {
  const gained = collects?.amount ?? 0n;
  const hub = await writeComputed<{ balance: bigint; version: bigint }>(tx, networkId, at, {
    wallets: sql`posted as materialized (${postings}),
    paid as (
      update wallets w set balance = w.balance + ${gained}::bigint - total.amount, version = w.version + ${collects ? 1 : 0}::int + total.count
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
          select wallet, amount, 1 as count, null::smallint as remainder from numbered ${remainders ? carriedBy(networkId, remainders) : sql``}
        ) as parts group by wallet
      ) as got where w.network_id = ${networkId}::int and w.id = got.wallet
    )`,
    transfers: sql`select gen_random_uuid(), paid.id, n.wallet, paid.balance - n.paid_sum, n.balance + n.sum, paid.version + n.paid_nth,
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
    transfers: sql`select gen_random_uuid(), taken.id, w.id, taken.balance, ${hub.balance}::bigint, taken.version, ${hub.version}::bigint,
        ${gained}::bigint, ${TRANSFER_KINDS[collects.kind]}::smallint, null::uuid, ${collects.reference}::uuid, ''
      from taken, wallets w where ${isWallet(from, networkId)}`,
    gives: sql`, id from taken`,
  });
  if (!taken) throw new Error(`No such wallet in network ${networkId}: ${collects.from}`);
}

/** The new remainders of commission wallets, as parts of what each wallet gets. */
function carriedBy(networkId: number, remainders: Sql): Sql {
  return sql`union all select w.id, 0, 0, r.after from (${remainders}) as r
    join wallets w on w.network_id = ${networkId}::int and w.owner_id = r.account_id and w.kind = ${sql.lit(WALLET_KINDS.commission)}`;
}

/** Selects the credit wallet of the admin of a network, by the columns that {@link PayOut} locks others by. */
export function creditOfAdmin(networkId: number): Sql {
  return sql`(select ${WALLET_KINDS.credit}::smallint as wallet_kind, owner_id from wallets
    where network_id = ${networkId}::int and kind = ${WALLET_KINDS.boundary}::smallint order by id limit 1)`;
}

/** SQL for a wallet `w` being the one of this name. */
function isWallet(name: WalletName, networkId: number): Sql {
  const [[kind], [owner]] = columnsOf([name]);
  return sql`w.network_id = ${networkId}::int and w.owner_id = ${owner}::uuid and w.kind = ${kind}::smallint`;
}
