import { WALLET_KINDS } from '@drawhouse/rules/ledger-kinds';
import type { Check } from './audit-check.ts';
import { checkWith } from './audit-check.ts';
import type { Queryable } from '../db/database.ts';
import { checkWalletSums } from './audit-ledger.ts';
import { inKinds } from '../db/kind-sql.ts';

/** Whose the credit of a network is, by the columns of `liability_days`. All of them together come to zero. */
const HOLDINGS = ['player_credit', 'staff_credit', 'escrow', 'winnings', 'commission', 'tables', 'outside'] as const;
/** One of {@link HOLDINGS}. */
type Holding = (typeof HOLDINGS)[number];

/** SQL for all of {@link HOLDINGS}, each made by `of`. */
function eachHolding(of: (holding: Holding) => string): string {
  return HOLDINGS.map(of).join(', ');
}

const { credit, commission, winnings, table, escrow } = WALLET_KINDS;

/** SQL for whose a wallet `w` is: with {@link WITH_OWNER} behind its FROM. */
const HOLDING = `case w.kind
  when ${credit} then case when a.role = 'user' then 'player_credit' else 'staff_credit' end
  when ${escrow} then 'escrow' when ${winnings} then 'winnings' when ${commission} then 'commission' when ${table} then 'tables'
  else 'outside' end`;
const WITH_OWNER = `left join accounts a on w.kind in ${inKinds(WALLET_KINDS, 'credit')} and a.id = w.owner_id`;

/** SQL: every wallet by its network and number, with whose it is and its balance. */
const HELD_WALLETS = `select w.network_id, w.id, w.balance, ${HOLDING} as holding from wallets w ${WITH_OWNER}`;

/** SQL for the sum of an expression over the rows of each holding. */
function sumsBy(expression: string): string {
  return eachHolding((name) => `coalesce(sum(${expression}) filter (where holding = '${name}'), 0)::bigint as ${name}`);
}

/** SQL: what moved within a network from an instant up to, not including, another, by whose it is; `held` is {@link HELD_WALLETS}. */
function movedBetween(from: string, until: string): string {
  const within = `at >= ${from}::timestamptz and at < ${until}::timestamptz`;
  return `select network_id, ${sumsBy('amount')} from (
      select network_id, id, sum(amount) as amount from (
        select network_id, to_wallet as id, amount from transfers where ${within}
        union all select network_id, from_wallet, -amount from transfers where ${within}
      ) as sides group by network_id, id
    ) as moved join held using (network_id, id) group by network_id`;
}

/** Hundredths of each holding that differ, as a sentence: `holdings` names both sides by their alias. */
const DIFFERENCE = (left: string, right: string): string =>
  `concat_ws(', ', ${HOLDINGS.map((name) => `case when ${left}.${name} <> ${right}.${name} then format('${name} has %s hundredths and should have %s', ${left}.${name}, ${right}.${name}) end`).join(', ')})`;

/**
 * Looks at the balances without going through all transfers: their sums, and that what each network held at the end of the last day that
 * is summed, with what moved since then, is what its wallets hold. `since` is the end of that day. Each check is one statement.
 */
export async function checkBalances(on: Queryable, since: Date): Promise<Check[]> {
  const check = checkWith(on);
  return [
    ...(await checkWalletSums(on)),
    await check(
      'the wallets hold what the last day and the transfers since come to',
      'wallets_now',
      `held as materialized (${HELD_WALLETS}), flows as (${movedBetween('$1', "'infinity'")}),
       wallets_now as (select network_id, ${sumsBy('balance')} from held group by network_id),
       last_day as (select * from liability_days where day = (select max(day) from liability_days where network_id = 0)),
       expected as (
         select w.network_id, ${eachHolding((name) => `coalesce(l.${name}, 0) + coalesce(f.${name}, 0) as ${name}`)}
         from wallets_now w left join last_day l using (network_id) left join flows f using (network_id)
       ),
       wrong as (
         select format('network %s: %s', w.network_id, ${DIFFERENCE('w', 'e')}) as problem
         from wallets_now w join expected e using (network_id) where ${DIFFERENCE('w', 'e')} <> ''
       )`,
      [since],
    ),
  ];
}

/** Checks that every day that is summed says what the transfers up to its end come to, and that none is missing between two or at the end of one network. */
export async function auditDays(on: Queryable): Promise<Check[]> {
  const check = checkWith(on);
  return [
    await check(
      'every day says what the transfers up to its end come to',
      'liability_days',
      `zone as materialized (select value as name from pinned_settings where name = 'time-zone'),
       held as materialized (${HELD_WALLETS}),
       moved as (
         select network_id, id, day, sum(amount) as amount from (
           select network_id, to_wallet as id, amount, (at at time zone zone.name)::date as day from transfers, zone
           union all select network_id, from_wallet, -amount, (at at time zone zone.name)::date from transfers, zone
         ) as sides group by network_id, id, day
       ),
       flows as (select network_id, day, ${sumsBy('amount')} from moved join held using (network_id, id) group by network_id, day),
       told as (
         select network_id, day, d.network_id is not null as is_summed, ${eachHolding((name) => `d.${name}`)},
                ${eachHolding((name) => `sum(coalesce(f.${name}, 0)) over up_to::bigint as true_${name}`)}
         from flows f full join liability_days d using (network_id, day)
         window up_to as (partition by network_id order by day)
       ),
       held_then as (select network_id, day, ${eachHolding((name) => `true_${name} as ${name}`)} from told),
       wrong as (
         select format('day %s of network %s: %s', t.day, t.network_id, ${DIFFERENCE('t', 'h')}) as problem
         from told t join held_then h using (network_id, day) where t.is_summed and ${DIFFERENCE('t', 'h')} <> ''
         union all
         select format('day %s of network %s is not summed, and later ones are', t.day, t.network_id)
         from told t where not t.is_summed and t.day <= (select max(day) from liability_days)
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
