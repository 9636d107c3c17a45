import { HOLDINGS, WALLET_KINDS, type Holding, type WalletKind } from '@drawhouse/rules/records/ledger-kinds';
import { checkWith, type Check } from '../audit-check.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { checkWalletSums } from './audit-ledger.ts';
import { readLive } from '../audited-rows.ts';
import { sql } from '../../platform/db/sql/sql.ts';

// Independent of the server's own sums and mapping, so the comparison shows an error on either side.

const HOLDINGS_OF: Record<WalletKind, readonly [ofPlayers: Holding, ofOthers: Holding]> = {
  credit: ['player_credit', 'staff_credit'],
  commission: ['commission', 'commission'],
  winnings: ['winnings', 'winnings'],
  table: ['tables', 'tables'],
  escrow: ['escrow', 'escrow'],
  issuance: ['outside', 'outside'],
  boundary: ['outside', 'outside'],
};
const KINDS = Object.entries(HOLDINGS_OF)
  .map(([kind, [ofPlayers, ofOthers]]) => `(${WALLET_KINDS[kind as WalletKind]}, '${ofPlayers}', '${ofOthers}')`)
  .join(', ');

/** Unknown kinds, possible only through manual changes, count as outside. */
const OWNED = sql`players as materialized (select id from accounts where role = 'user'),
  owned as materialized (
    select w.network_id, w.id, w.balance, coalesce(case when p.id is null then k.of_others else k.of_players end, 'outside') as holding
    from wallets w left join (values ${sql.raw(KINDS)}) as k (kind, of_players, of_others) on k.kind = w.kind
    left join players p on p.id = w.owner_id
  )`;

const SIDES = sql`cross join lateral (values (t.to_wallet, t.amount), (t.from_wallet, -t.amount)) as side (wallet, gain)`;

/** One row per holding, from `liability_days` or `cleared_days` row `d`. */
const SUMMED = sql`cross join lateral (values
  ${sql.raw(HOLDINGS.map((name) => `('${name}', d.${name})`).join(', '))}) as summed (holding, amount)`;

const DIFFERENCES = sql`string_agg(format('%s has %s hundredths and should have %s', holding, has, due), ', '
  order by array_position(array[${sql.raw(HOLDINGS.map((name) => `'${name}'`).join(', '))}], holding))`;

/**
 * Avoids reading all transfers: compares the last summed day plus later movements with the wallets. `since` is that
 * day's end.
 */
export async function checkBalances(on: Queryable, since: Date): Promise<Check[]> {
  await readLive(on);
  const check = checkWith(on);
  return [
    ...(await checkWalletSums(on)),
    await check(
      'the wallets equal the last summed day plus the transfers since',
      'holders',
      sql`${OWNED}, holders as (select distinct network_id from owned),
       gained as (
         select t.network_id, side.wallet, sum(side.gain) as gain from transfers t ${SIDES}
         where t.at >= ${since}::timestamptz group by t.network_id, side.wallet
       ),
       different as (
         select network_id, holding, sum(has) as has, sum(due) as due from (
           select network_id, holding, balance as has, 0 as due from owned
           union all
           select o.network_id, o.holding, 0, g.gain from gained g join owned o on o.network_id = g.network_id and o.id = g.wallet
           union all
           select d.network_id, summed.holding, 0, summed.amount from liability_days d ${SUMMED}
           where d.day = (select max(day) from liability_days where network_id = 0)
         ) as parts group by network_id, holding having sum(has) <> sum(due)
       ),
       wrong as (
         select format('network %s: %s', network_id, ${DIFFERENCES}) as problem
         from different join holders using (network_id) group by network_id
       )`,
    ),
  ];
}

export async function auditDays(on: Queryable): Promise<Check[]> {
  const check = checkWith(on);
  return [
    await check(
      'every summed day equals the transfers up to its end',
      'liability_days',
      sql`zone as materialized (select value as name from pinned_settings where name = 'time-zone'), ${OWNED},
       gained as (
         -- Reads transfers once per side: a third faster than one pass over both sides.
         select t.network_id, t.wallet, (t.at at time zone zone.name)::date as day, sum(t.gain) as gain from (
           select network_id, to_wallet as wallet, at, amount as gain from transfers
           union all select network_id, from_wallet, at, -amount from transfers
         ) as t cross join zone group by 1, 2, 3
       ),
       flows as materialized (
         select o.network_id, o.holding, g.day, sum(g.gain) as gain
         from gained g join owned o on o.network_id = g.network_id and o.id = g.wallet group by 1, 2, 3
         union all
         select d.network_id, summed.holding, d.day, summed.amount from cleared_days d ${SUMMED} where summed.amount <> 0
       ),
       steps as (
         select network_id, holding, day, null::bigint as has, gain from flows
         union all
         select d.network_id, summed.holding, d.day, summed.amount, 0 from liability_days d ${SUMMED}
       ),
       -- A day includes all rows up to its end; rows of the day itself come in any order.
       told as (select *, sum(gain) over (partition by network_id, holding order by day) as due from steps),
       wrong as (
         select format('day %s of network %s: %s', day, network_id, ${DIFFERENCES}) as problem
         from told where has <> due group by network_id, day
         union all
         select format('day %s of network %s is not summed, and later ones are', day, network_id)
         from (select distinct network_id, day from flows) as moved
         where not exists (select from liability_days d where d.network_id = moved.network_id and d.day = moved.day)
           and day <= (select max(day) from liability_days)
         union all
         select format('the day before %s of network %s is not summed', day, network_id)
         from (select network_id, day, lag(day) over (partition by network_id order by day) as before from liability_days) as days
         where before < day - 1
         union all
         select format('day %s of network %s is the last that is summed, and others have later ones', last, network_id)
         from (select network_id, max(day) as last from liability_days group by network_id) as ends
         where last < (select max(day) from liability_days)
       )`,
    ),
  ];
}
