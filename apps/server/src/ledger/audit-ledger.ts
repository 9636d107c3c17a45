import type { Queryable } from '../db/database.ts';
import { ROOT_NETWORK } from '../activity/append-activity.ts';

/** One check of the books: how many rows it looked at, and a sentence for each that is wrong. */
export interface LedgerCheck {
  readonly name: string;
  readonly rows: number;
  readonly problems: string[];
}

/**
 * Builds checks from SQL that gives a row per problem, `problem` being its sentence, and in every row `checked`, how many rows it
 * looked at; where nothing is wrong, one row without a problem.
 */
export function checkWith(db: Queryable): (name: string, sql: string, values?: unknown[]) => Promise<LedgerCheck> {
  return async (name, sql, values = []) => {
    const rows = await db.query<{ problem: string | null; checked: bigint }>(sql, values);
    return { name, rows: Number(rows[0]?.checked ?? 0), problems: rows.flatMap((row) => row.problem ?? []) };
  };
}

/**
 * Checks the invariants of the books (section 2 of the domain): every balance equals the sum of its transfers; the wallets
 * of each network and of the whole sum to zero; each pair of boundary wallets does; only three kinds are below zero; and every
 * transfer joins wallets that exist.
 */
export async function auditLedger(db: Queryable): Promise<LedgerCheck[]> {
  const check = checkWith(db);
  return [
    await check(
      'every balance equals the sum of its transfers',
      `with moved as (
         select network_id, wallet, sum(amount) as amount from (
           select network_id, credit_wallet as wallet, amount from transfers
           union all select network_id, debit_wallet, -amount from transfers
         ) as sides group by network_id, wallet
       ), compared as (
         select w.network_id, w.id, w.kind, w.balance, coalesce(m.amount, 0) as amount
         from wallets w left join moved m on m.network_id = w.network_id and m.wallet = w.id
       ), wrong as (
         select format('wallet %s (%s) of network %s has %s hundredths, its transfers come to %s', id, kind, network_id, balance, amount) as problem
         from compared where balance <> amount
       )
       select problem, (select count(*) from compared) as checked from (select 1) as always left join wrong on true`,
    ),
    await check(
      'every transfer joins two wallets of its network',
      `with wrong as (
         select format('transfer %s of network %s names a wallet that does not exist', t.id, t.network_id) as problem
         from transfers t
         left join wallets d on d.network_id = t.network_id and d.id = t.debit_wallet
         left join wallets c on c.network_id = t.network_id and c.id = t.credit_wallet
         where d.id is null or c.id is null
       )
       select problem, (select count(*) from transfers) as checked from (select 1) as always left join wrong on true`,
    ),
    await check(
      "each network's wallets sum to zero",
      `with sums as (select network_id, sum(balance) as balance from wallets group by network_id),
       wrong as (
         select format('the wallets of network %s sum to %s hundredths', network_id, balance) as problem from sums where balance <> 0
       )
       select problem, (select count(*) from sums) as checked from (select 1) as always left join wrong on true`,
    ),
    await check(
      'each pair of boundary wallets sums to zero',
      `with pairs as (
         select owner_id, sum(balance) as balance, count(*) filter (where network_id = $1) as at_root,
                count(*) filter (where network_id = owner_id) as at_network
         from wallets where kind = 'boundary' group by owner_id
       ), wrong as (
         select format('the boundary wallets of network %s sum to %s hundredths (%s at the root, %s at the network)',
                       owner_id, balance, at_root, at_network) as problem
         from pairs where balance <> 0 or at_root <> 1 or at_network <> 1
       )
       select problem, (select count(*) from pairs) as checked from (select 1) as always left join wrong on true`,
      [ROOT_NETWORK],
    ),
    await check(
      'no wallet is below zero that may not be',
      `with wrong as (
         select format('wallet %s (%s) of network %s has %s hundredths', id, kind, network_id, balance) as problem
         from wallets where balance < 0 and kind not in ('issuance', 'boundary', 'table')
       )
       select problem, (select count(*) from wallets) as checked from (select 1) as always left join wrong on true`,
    ),
  ];
}
