import { ROOT_NETWORK } from '../activity/append-activity.ts';
import { checkWith, problemsOf } from '../activity/audit-check.ts';
import type { Check } from '../activity/audit-check.ts';
import type { Queryable } from '../db/database.ts';

/** A wallet whose transfers do not come to what it says. */
interface WrongWallet {
  readonly network_id: string;
  readonly id: string;
  readonly kind: string;
  /** Null where transfers name a wallet that does not exist. */
  readonly balance: bigint | null;
  readonly amount: bigint;
  /** Whether the balances that its transfers tell are a history from zero to the wallet's balance. */
  readonly tells: boolean;
}

/**
 * Compares every wallet with its transfers in one pass over them. Whether the balances told are a history needs no sorting: each
 * transfer goes from one balance to the next, so every balance but the first (zero) and the last is left as often as it is
 * reached, and the sums of their hashes agree. (Two transfers of one amount that tell each other's balances are a history too, in
 * another order; only sorting all of it would tell them apart.)
 */
async function compareWallets(db: Queryable): Promise<{ wrong: WrongWallet[]; wallets: number; transfers: number }> {
  const rows = await db.query<WrongWallet & { wallets: bigint; transfers: bigint }>(
    `with compared as materialized (
       select coalesce(w.network_id, m.network_id) as network_id, coalesce(w.id, m.wallet) as id, w.kind, w.balance,
              coalesce(m.amount, 0)::bigint as amount, coalesce(m.sides, 0)::bigint as sides,
              coalesce(m.passes, 0) = (hashint8extended(w.balance, 0) >> 2) - (hashint8extended(0, 0) >> 2) as tells
       from wallets w full join (
         select network_id, wallet, sum(amount) as amount, count(*) as sides,
                sum((hashint8extended(after, 0) >> 2) - (hashint8extended(after - amount, 0) >> 2)) as passes
         from (
           select network_id, credit_wallet as wallet, amount, credit_balance as after from transfers
           union all select network_id, debit_wallet, -amount, debit_balance from transfers
         ) as sides group by network_id, wallet
       ) as m on m.network_id = w.network_id and m.wallet = w.id
     ), counted as (select count(balance) as wallets, coalesce(sum(sides), 0)::bigint / 2 as transfers from compared)
     select counted.*, wrong.* from counted
     left join (select * from compared where balance is distinct from amount or tells is not true) as wrong on true`,
  );
  return {
    wrong: rows.filter((row) => row.id !== null),
    wallets: Number(rows[0]!.wallets),
    transfers: Number(rows[0]!.transfers),
  };
}

/**
 * Checks the invariants of the books (section 2 of the domain): every balance equals the sum of its transfers; every transfer
 * joins wallets that exist and tells the balances that it left; the wallets of each network and of the whole sum to zero; each
 * pair of boundary wallets does; only three kinds are below zero.
 */
export async function auditLedger(db: Queryable): Promise<Check[]> {
  const check = checkWith(db);
  const { wrong, wallets, transfers } = await compareWallets(db);
  const missing = wrong.filter(({ balance }) => balance === null);
  const silent = wrong.filter(({ balance, tells }) => balance !== null && !tells);
  const idsOf = (of: readonly WrongWallet[]): unknown[] => [of.map((row) => row.network_id), of.map((row) => row.id)];
  return [
    {
      name: 'every balance equals the sum of its transfers',
      rows: wallets,
      problems: wrong.flatMap(({ network_id, id, kind, balance, amount }) =>
        balance === null || balance === amount
          ? []
          : `wallet ${id} (${kind}) of network ${network_id} has ${balance} hundredths, its transfers come to ${amount}`,
      ),
    },
    {
      name: 'every transfer joins two wallets of its network',
      rows: transfers,
      problems: await problemsOf(
        db,
        `select format('transfer %s of network %s names a wallet that does not exist', t.id, t.network_id) as problem
         from unnest($1::uuid[], $2::uuid[]) as missing (network_id, id)
         join transfers t on t.network_id = missing.network_id and missing.id in (t.debit_wallet, t.credit_wallet)
         order by t.id`,
        idsOf(missing),
      ),
    },
    {
      name: 'every transfer tells the balances that it left',
      rows: transfers,
      problems: await problemsOf(
        db,
        `select format('transfer %s of network %s says that wallet %s had %s hundredths after it; it had %s',
                       t.id, t.network_id, silent.id, t.after, t.sum) as problem
         from unnest($1::uuid[], $2::uuid[]) as silent (network_id, id), lateral (
           select *, sum(amount) over (order by id) as sum from (
             select id, network_id, amount, credit_balance as after from transfers
             where network_id = silent.network_id and credit_wallet = silent.id
             union all select id, network_id, -amount, debit_balance from transfers
             where network_id = silent.network_id and debit_wallet = silent.id
           ) as history
         ) as t where t.after <> t.sum order by t.id`,
        idsOf(silent),
      ),
    },
    await check(
      'every wallet has the id of its name',
      'wallets',
      `named as (
         select *, sha256(convert_to(kind || ':' || owner_id || ':' || coalesce(game_id::text, ''), 'UTF8')) as hash from wallets
       ), wrong as (
         select format('wallet %s of network %s has not the id of its name: %s of %s, game %s', id, network_id, kind, owner_id,
                       coalesce(game_id::text, 'none')) as problem
         from named
         where id <> encode(set_byte(set_byte(substring(hash for 16), 6, (get_byte(hash, 6) & 15) | 128),
                                     8, (get_byte(hash, 8) & 63) | 128), 'hex')::uuid
       )`,
    ),
    await check(
      'every wallet knows its latest transfer',
      'wallets',
      `known as (
         select w.*, greatest(
           (select t.id from transfers t where t.network_id = w.network_id and t.debit_wallet = w.id order by t.id desc limit 1),
           (select t.id from transfers t where t.network_id = w.network_id and t.credit_wallet = w.id order by t.id desc limit 1)
         ) as latest from wallets w
       ), wrong as (
         select format('wallet %s (%s) of network %s has %s as its latest transfer, it is %s', id, kind, network_id, last_transfer, latest) as problem
         from known where last_transfer is distinct from latest
       )`,
    ),
    await check(
      "each network's wallets sum to zero",
      'sums',
      `sums as (select network_id, sum(balance) as balance from wallets group by network_id),
       wrong as (
         select format('the wallets of network %s sum to %s hundredths', network_id, balance) as problem from sums where balance <> 0
       )`,
    ),
    await check(
      'each pair of boundary wallets sums to zero',
      'pairs',
      `pairs as (
         select owner_id, sum(balance) as balance, count(*) filter (where network_id = $1) as at_root,
                count(*) filter (where network_id = owner_id) as at_network
         from wallets where kind = 'boundary' group by owner_id
       ), wrong as (
         select format('the boundary wallets of network %s sum to %s hundredths (%s at the root, %s at the network)',
                       owner_id, balance, at_root, at_network) as problem
         from pairs where balance <> 0 or at_root <> 1 or at_network <> 1
       )`,
      [ROOT_NETWORK],
    ),
    await check(
      'no wallet is below zero that may not be',
      'wallets',
      `wrong as (
         select format('wallet %s (%s) of network %s has %s hundredths', id, kind, network_id, balance) as problem
         from wallets where balance < 0 and kind not in ('issuance', 'boundary', 'table')
       )`,
    ),
  ];
}
