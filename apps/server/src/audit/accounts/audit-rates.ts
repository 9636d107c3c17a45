import { LOGGED_ACCOUNTS } from './audit-accounts.ts';
import { checkWith, type Check, type CheckBySql } from '../audit-check.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';

/**
 * In hundredths of a percent. A rate applies to draws opened after change `since` and before number `until`; null if
 * current.
 */
export const RATES = sql`rates as materialized (
  select account_id, coalesce(lag(nth) over (partition by account_id order by nth), 0) as since, nth as until,
    before as rate from rate_changes
  union all
  select a.id, coalesce((select max(c.nth) from rate_changes c
    where c.network_id = a.network_id and c.account_id = a.id), 0), null, a.commission
  from accounts a
)`;

export async function auditRates(db: Queryable): Promise<Check[]> {
  const check = checkWith(db);
  return [await historyLogged(check), await openingsCounted(check)];
}

function historyLogged(check: CheckBySql): Promise<Check> {
  return check(
    'every past commission rate is in its history and in the log',
    'rate_changes',
    sql`${LOGGED_ACCOUNTS}, logged as (
       select account_id, array_agg(commission::numeric order by id) as rates from (
         select account_id, id, commission, lag(commission) over (partition by account_id order by id) as last
         from logged_accounts where commission is not null
       ) as told where commission is distinct from last group by account_id
     ), linked as (
       select *, lag(after, 1, before) over (partition by network_id, account_id order by nth) as last,
              row_number() over (partition by network_id order by nth) as place
       from rate_changes
     ), kept as (
       select account_id, (array_agg(before::numeric order by nth))[1] || array_agg(after::numeric
         order by nth) as rates from rate_changes group by account_id
     ), wrong as (
       select format('account %s (%s %s) of network %s has had the commission rates %s by its history, and %s by the '
                     'log, in hundredths of a percent',
                     a.id, a.role, a.username, a.network_id, coalesce(k.rates, array[a.commission::numeric]),
                       coalesce(shown.rates, 'none')) as problem
       from accounts a left join kept k on k.account_id = a.id left join logged l on l.account_id = a.id
       cross join lateral (select '{' || string_agg(trim_scale(rate)::text, ',' order by nth) || '}' as rates
                           from unnest(l.rates) with ordinality as each (rate, nth)) as shown
       where cardinality(a.chain) > 2 and coalesce(k.rates, array[a.commission::numeric]) is distinct from l.rates
       union all
       select format('change %s of the commission rates of network %s (account %s, from %s to %s) does not follow the '
                     'previous one', nth, network_id,
                     account_id, before, after)
       from linked where last <> before or place <> nth
       union all
       select format('change %s of the commission rates of network %s is of account %s, which is not in it', c.nth,
         c.network_id, c.account_id)
       from rate_changes c left join accounts a on a.id = c.account_id and a.network_id = c.network_id where a.id is null
     )`,
  );
}

/**
 * Tolerates one minute, because a change can be logged during an opening. Superadmin changes are in another log; seals
 * preserve their numbers.
 */
function openingsCounted(check: CheckBySql): Promise<Check> {
  return check(
    'every draw has the number of rate changes before its opening',
    'draws',
    sql`${LOGGED_ACCOUNTS}, logged as (
       select account_id, log, seq, row_number() over (partition by account_id order by id) as place from (
         select account_id, id, log, seq, commission, lag(commission) over (partition by account_id order by id) as last
         from logged_accounts where commission is not null
       ) as told where last is not null and commission <> last
     ), changes as materialized (
       select c.network_id, c.nth, c.at, l.seq
       from (select *, row_number() over (partition by network_id, account_id order by nth) as place from rate_changes) as c
       left join logged l on l.account_id = c.account_id and l.place = c.place and l.log = c.network_id
     ), spans as (
       select network_id, nth as changes, max(seq) over (partition by network_id order by nth) as last_seq,
              min(seq) over later as next_seq, min(at) filter (where seq is not null) over later as next_at
       from (select network_id, nth, at, seq from changes
         union all select distinct network_id, 0, null::timestamptz, null::bigint from changes) as c
       window later as (partition by network_id order by nth rows between 1 following and unbounded following)
     ), openings as (
       select network_id, seq, at, detail -> 'opened' ->> 'batch' as batch from activity
       where account_id is null and detail ? 'opened' and network_id in (select network_id from changes)
     ), wrong as (
       select format('draw %s of network %s opened with %s rate changes; its network has had only %s', d.id, d.network_id, d.rate_changes,
                     (select count(*) from changes c where c.network_id = d.network_id)) as problem
       from draws d where d.rate_changes <> 0
         and d.rate_changes > coalesce((select max(c.nth) from changes c where c.network_id = d.network_id), 0)
       union all
       select format('draw %s of network %s opened with %s rate changes; the log of its network has others before its opening',
         d.id, d.network_id, d.rate_changes)
       from draws d join openings o on o.network_id = d.network_id and o.batch = right(d.id::text, 17)
       join spans s on s.network_id = d.network_id and s.changes = d.rate_changes
       where s.last_seq > o.seq or (s.next_seq < o.seq and s.next_at < o.at - interval '1 minute')
     )`,
  );
}
