import { WALLET_KINDS, MAY_BE_NEGATIVE } from '@drawhouse/rules/records/ledger-kinds';
import { DEPARTURES, LAST_MOVES } from './audit-restores-and-moves.ts';
import { checkWith, problemsOf, type Check } from '../audit-check.ts';
import { WALLETS, ROOT } from '../audited-kinds.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql, inKinds, kindName, type Sql } from '../../platform/db/sql/sql.ts';

interface WrongWallet {
  readonly network_id: number;
  readonly id: number;
  readonly kind: string;
  /** Null if the wallet does not exist. */
  readonly balance: bigint | null;
  readonly amount: bigint;
  /** True if its transfers lead from zero to its balance, through every version. */
  readonly isHistory: boolean;
}

/**
 * One pass without sorting. Each transfer links two states (version, balance). In a history, every state except first
 * and last is entered and left equally often, so sums of state hashes match. Steps increase the version by one, so none
 * repeats. A cleared range is one step.
 */
async function compareWallets(db: Queryable): Promise<{ wrong: WrongWallet[]; wallets: number; transfers: number }> {
  const rows = await db.query<WrongWallet & { wallets: bigint; transfers: bigint }>(
    sql`with compared as materialized (
       select coalesce(w.network_id, m.network_id) as network_id, coalesce(w.id, m.wallet) as id,
              ${kindName(WALLET_KINDS, 'w.kind')} as kind, w.balance,
              coalesce(m.amount, 0)::bigint as amount, coalesce(m.sides, 0)::bigint as sides,
              coalesce(m.passes, 0) = (hashint8extended(w.balance, w.version) >> 2) - (hashint8extended(0, 0) >> 2) as isHistory
       from wallets w full join (
         select network_id, wallet, sum(amount) as amount, count(*) filter (where version = before + 1) as sides,
                sum((hashint8extended(after, version) >> 2) - (hashint8extended(after - amount, before) >> 2)) as passes
         from (
           select network_id, to_wallet as wallet, amount, to_balance as after, to_version as version,
             to_version - 1 as before from transfers
           union all select network_id, from_wallet, -amount, from_balance, from_version, from_version - 1 from transfers
           union all select network_id, wallet_id, closing - opening, closing, last_version, first_version - 1 from wallet_gaps
         ) as sides group by network_id, wallet
       ) as m on m.network_id = w.network_id and m.wallet = w.id
     ), counted as (select count(balance) as wallets, coalesce(sum(sides), 0)::bigint / 2 as transfers from compared)
     select counted.*, wrong.* from counted
     left join (select * from compared where balance is distinct from amount or isHistory is not true) as wrong on true`,
  );
  return {
    wrong: rows.filter((row) => row.id !== null),
    wallets: Number(rows[0]!.wallets),
    transfers: Number(rows[0]!.transfers),
  };
}

const historyOf = (wallets: readonly WrongWallet[]): Sql => sql`wrong_wallets as (
  select w.* from ${listed(wallets)} as silent (network_id, id) join wallets w using (network_id, id)
), history as (
  select w.network_id, w.id as wallet, t.*, sum(t.amount) over told as sum, coalesce(lag(t.version) over told, 0) as before
  from wrong_wallets w cross join lateral (
    select 'transfer ' || id as step, amount, to_balance as after, to_version as first, to_version as version from transfers t
    where t.network_id = w.network_id and t.to_wallet = w.id
    union all select 'transfer ' || id, -amount, from_balance, from_version, from_version from transfers t
    where t.network_id = w.network_id and t.from_wallet = w.id
    union all select format('what was cleared, versions %s to %s,', g.first_version, g.last_version), closing - opening,
      closing, first_version, last_version
    from wallet_gaps g where g.network_id = w.network_id and g.wallet_id = w.id
  ) as t window told as (partition by w.network_id, w.id order by t.version, t.step)
)`;

const listed = (wallets: readonly WrongWallet[]): Sql =>
  sql`unnest(${wallets.map((row) => row.network_id)}::int[], ${wallets.map((row) => row.id)}::int[])`;

/**
 * Balances equal transfer sums, versions have no gaps, networks and boundary pairs sum to zero, and only three kinds go
 * negative.
 */
export async function auditLedger(db: Queryable): Promise<Check[]> {
  const check = checkWith(db);
  const { wrong, wallets, transfers } = await compareWallets(db);
  const missing = wrong.filter(({ balance }) => balance === null);
  const silent = wrong.filter(({ balance, isHistory }) => balance !== null && !isHistory);
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
        sql`select format('transfer %s of network %s names wallet %s, which does not exist', t.id, t.network_id, missing.id) as problem
         from ${listed(missing)} as missing (network_id, id)
         join transfers t on t.network_id = missing.network_id and missing.id in (t.from_wallet, t.to_wallet)
         order by t.id`,
      ),
    },
    {
      name: 'every transfer has the balances it left',
      rows: transfers,
      problems: await problemsOf(
        db,
        sql`with ${historyOf(silent)}
         select format('%s of network %s says that wallet %s had %s hundredths after it; it had %s',
                       step, network_id, wallet, after, sum) as problem
         from history where after <> sum order by network_id, wallet, version`,
      ),
    },
    {
      name: "every wallet's versions run from 1 to its own, without a gap",
      rows: wallets,
      problems: await problemsOf(
        db,
        sql`with ${historyOf(silent)}
         select format('%s of network %s is version %s of wallet %s; the one before it is %s',
                       step, network_id, first, wallet, before) as problem
         from history where first <> before + 1
         union all
         select format('wallet %s of network %s is at version %s; its last transfer is %s', w.id, w.network_id, w.version,
                       coalesce(max(h.version), 0))
         from wrong_wallets w left join history h on h.network_id = w.network_id and h.wallet = w.id
         group by w.network_id, w.id, w.version having w.version is distinct from coalesce(max(h.version), 0)`,
      ),
    },
    await check(
      'the wallets of a network are numbered from 1 without a gap',
      'networks',
      sql`numbered as (
         select network_id, count(*) as count, min(id) as least, max(id) as most from wallets group by network_id
       ), wrong as (
         select format('network %s has %s wallets, numbered from %s to %s; it counts %s', coalesce(network_id, n.id),
           count, least, most, n.wallets) as problem
         from numbered full join networks n on n.id = network_id
         where (coalesce(count, 0), coalesce(least, 1), coalesce(most, 0)) is distinct from (n.wallets::bigint, 1, n.wallets)
       )`,
    ),
    ...(await checkWalletSums(db)),
  ];
}

export async function checkWalletSums(db: Queryable): Promise<Check[]> {
  const check = checkWith(db);
  return [
    await check(
      "each network's wallets sum to zero",
      'sums',
      sql`sums as (select network_id, sum(balance) as balance from wallets group by network_id),
       wrong as (
         select format('the wallets of network %s sum to %s hundredths', network_id, balance) as problem from sums where balance <> 0
       )`,
    ),
    await check(
      'each pair of boundary wallets sums to zero',
      'pairs',
      sql`both_sides as (
         select w.owner_id, sum(w.balance) as balance, count(*) filter (where w.network_id = ${ROOT}) as at_root,
                count(*) filter (where n.admin_id = w.owner_id) as at_network
         from wallets w left join networks n on n.id = w.network_id where w.kind = ${WALLETS.boundary} group by w.owner_id
       ), pairs as (
         -- The credit of a network being moved in is issued on arrival.
         select p.owner_id, p.at_root, p.at_network, p.balance + coalesce(m.amount, 0) as balance
         from both_sides p left join networks n on n.admin_id = p.owner_id and n.id = (select audited.trial(1))
         left join (${LAST_MOVES}) as m on m.network_id = n.id and not exists (
           select from transfers t where t.network_id = ${ROOT} and t.reference = m.id)
       ), wrong as (
         select format('the boundary wallets of network %s sum to %s hundredths (%s at the root, %s at the network)',
                       coalesce(n.id::text, 'of ' || owner_id), balance, at_root, at_network) as problem
         from pairs left join networks n on n.admin_id = owner_id where balance <> 0 or at_root <> 1
           or at_network <> (owner_id in (select n.admin_id from networks n)
             or owner_id::text not in (select d.admin_id from (${DEPARTURES}) as d))::int
       )`,
    ),
    await check(
      'no wallet is below zero unless allowed',
      'wallets',
      sql`wrong as (
         select format('wallet %s (%s) of network %s has %s hundredths', id, ${kindName(WALLET_KINDS, 'kind')},
           network_id, balance) as problem
         from wallets where balance < 0 and kind not in ${inKinds(WALLET_KINDS, ...MAY_BE_NEGATIVE)}
       )`,
    ),
  ];
}
