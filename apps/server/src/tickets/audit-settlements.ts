import { LOGGED_ACCOUNTS } from '../accounts/audit-accounts.ts';
import { ROOT_NETWORK } from '../activity/append-activity.ts';
import { checkWith } from '../activity/audit-check.ts';
import type { Check } from '../activity/audit-check.ts';
import type { Queryable } from '../db/database.ts';

/** The levels that earn: what they are called, the column of the settlement, and the place in the chain of a player. */
const LEVELS = [
  ['superdistributor', 'super_commission', 3],
  ['distributor', 'dist_commission', 4],
  ['retailer', 'retail_commission', 5],
  ['player', 'user_commission', 6],
] as const;

const SUMS = ['stake', 'win', 'super_commission', 'dist_commission', 'retail_commission', 'user_commission'];

/** Checks what was summed from the tickets of settled draws: settlements, their commissions, and the rollups of the reports. */
export async function auditSettlements(db: Queryable): Promise<Check[]> {
  const check = checkWith(db);
  return [
    await check(
      "every player's settlement of a draw equals the tickets",
      'player_settlements',
      `played as (
         select t.network_id, t.draw_id, t.account_id, sum(t.stake) as stake, coalesce(sum(w.win), 0) as win
         from tickets t join draws d on d.network_id = t.network_id and d.id = t.draw_id
         left join ticket_wins w on w.network_id = t.network_id and w.draw_id = t.draw_id and w.ticket_id = t.id
         where d.status = 'settled' group by t.network_id, t.draw_id, t.account_id
       ), wrong as (
         select format('the settlement of player %s in draw %s of network %s does not equal the tickets: stake %s, win %s hundredths; they come to %s and %s',
                       account_id, draw_id, network_id, s.stake, s.win, p.stake, p.win) as problem
         from player_settlements s full join played p using (network_id, draw_id, account_id)
         where (s.stake, s.win) is distinct from (p.stake::bigint, p.win::bigint)
       )`,
    ),
    await check(
      'every settled draw with tickets has its settlement, of the time at which it was settled',
      'draw_settlements',
      `settled as (
         select d.network_id, d.id as draw_id, d.finished_at from draws d
         where d.status = 'settled' and exists (select from tickets t where t.network_id = d.network_id and t.draw_id = d.id)
       ), wrong as (
         select format('the settlement of draw %s of network %s is of %s; the draw was settled at %s', draw_id, network_id,
                       coalesce(s.settled_at::text, 'no time'), coalesce(d.finished_at::text, 'no time, or has no tickets')) as problem
         from draw_settlements s full join settled d using (network_id, draw_id) where s.settled_at is distinct from d.finished_at
       )`,
    ),
    await auditCommissions(db),
    await auditRollups(db),
  ];
}

/**
 * Compares every commission with the percentage of its account when the draw was settled: the last one that the logs had told when the
 * settlement read the percentages. A change and its row are committed together, so `log_seq` and `root_log_seq` say exactly
 * which changes it saw.
 */
function auditCommissions(db: Queryable): Promise<Check> {
  const seen = (log: string, seq: string): string =>
    `${seq} <= case ${log} when s.network_id then d.log_seq when $1 then d.root_log_seq end`;
  const joins = LEVELS.map(
    ([level, , depth]) =>
      `left join percentages ${level} on ${level}.account_id = a.chain[${depth}] and ${seen(`${level}.log`, `${level}.seq`)}
         and (${seen(`${level}.next_log`, `${level}.next_seq`)}) is not true`,
  );
  const rows = LEVELS.map(
    ([level, column, depth]) =>
      `('${level}', a.chain[${depth}], ${level}.commission, s.${column}, s.stake * ${level}.commission::integer / 10000)`,
  );
  const isWrong = LEVELS.map(
    ([level, column]) => `s.${column} is distinct from s.stake * ${level}.commission::integer / 10000`,
  );
  return checkWith(db)(
    'every commission is the stake × the percentage at that time',
    'player_settlements',
    `${LOGGED_ACCOUNTS}, percentages as materialized (
       select account_id, log, seq, commission, lead(log) over told as next_log, lead(seq) over told as next_seq
       from logged_accounts where commission between 0 and 10000 window told as (partition by account_id order by id)
     ), wrong as (
       select format('the settlement of player %s in draw %s of network %s has %s hundredths of commission for %s %s; at %s hundredths of a percent the stake of %s gives %s',
                     s.account_id, s.draw_id, s.network_id, earner.earned, earner.level, earner.account_id,
                     coalesce(trim_scale(earner.percent)::text, 'unknown'), s.stake, coalesce(earner.due::text, 'unknown')) as problem
       from player_settlements s left join draw_settlements d on d.network_id = s.network_id and d.draw_id = s.draw_id
       join accounts a on a.id = s.account_id
       ${joins.join('\n       ')}
       cross join lateral (values ${rows.join(', ')}) as earner (level, account_id, percent, earned, due)
       where (${isWrong.join(' or ')}) and earner.earned is distinct from earner.due
     )`,
    [ROOT_NETWORK],
  );
}

/** Compares the rollups of each account, game and period with the settlements below the account in that period. */
async function auditRollups(db: Queryable): Promise<Check> {
  const sums = SUMS.map((column) => `sum(${column})::bigint as ${column}`).join(', ');
  return checkWith(db)(
    'every rollup equals the settlements below its account in its time',
    'rollups',
    `played as (
       select s.network_id, s.account_id, draws.game_id, date_bin('15 minutes', d.settled_at, timestamptz 'epoch') as quarter,
              date_trunc('day', d.settled_at, (select value from pinned_settings where name = 'time-zone')) as day, ${sums}
       from player_settlements s join draw_settlements d on d.network_id = s.network_id and d.draw_id = s.draw_id
       join draws on draws.network_id = s.network_id and draws.id = s.draw_id
       group by s.network_id, s.account_id, draws.game_id, quarter, day
     ), settled as (
       select p.network_id, up.id as account_id, p.game_id, case grouping(quarter) when 0 then 'quarter' else 'day' end as grain,
              case grouping(quarter) when 0 then quarter else day end as starts_at, ${sums}
       from played p join accounts a on a.id = p.account_id cross join lateral unnest(a.chain) as up (id)
       group by p.network_id, up.id, p.game_id, grouping sets ((quarter), (day))
     ), wrong as (
       select format('the %s rollups of account %s in network %s do not equal the settlements: from %s in game %s they have %s, the settlements %s',
                     grain, account_id, network_id, starts_at, game_id,
                     coalesce(${shown('r')}, 'nothing'), coalesce(${shown('s')}, 'nothing')) as problem
       from rollups r full join settled s using (network_id, account_id, game_id, grain, starts_at)
       where (${SUMS.map((column) => `r.${column}`).join(', ')}) is distinct from (${SUMS.map((column) => `s.${column}`).join(', ')})
     )`,
  );
}

/** SQL for the sums of a row as people read them; null where the row is missing. */
function shown(alias: 'r' | 's'): string {
  const [stake, win, ...commissions] = SUMS.map((column) => `${alias}.${column}`);
  return `'play ' || ${stake} || ', win ' || ${win} || ', commissions ' || ${commissions.join(` || ' ' || `)}`;
}
