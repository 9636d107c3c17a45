import { checkWith, type Check, amountMark, explainByClearing } from '../audit-check.ts';
import { WALLETS, TRANSFERS } from '../audited-kinds.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';

export async function auditClaims(db: Queryable): Promise<Check[]> {
  return [await auditEachClaim(db), await auditSums(db), await auditExcluded(db)];
}

/** True if the owner of wallet `f` was excluded at transfer `m`, so the server claimed. */
const WAS_EXCLUDED = sql`exists (select from protection_changes p where p.network_id = m.network_id and p.account_id = f.owner_id
  and p.what = 'exclusion' and p.step = 'set' and p.at <= m.at and p.until > m.at)`;

/** True if the draw of the ticket claimed by transfer `m` was corrected then: its players are paid first. */
const WAS_CORRECTED = sql`exists (select from tickets k join ticket_corrections x on x.network_id = k.network_id and x.draw_id = k.draw_id
    and x.account_id = k.account_id and x.at = m.at
  where k.network_id = m.network_id and k.id = m.reference)`;

/**
 * Nothing may wait for excluded players. Exception: an exclusion kept by a restore is newer than the backup's wins,
 * which are claimed soon afterwards.
 */
async function auditExcluded(db: Queryable): Promise<Check> {
  return checkWith(db)(
    'no win waits for an excluded player',
    'exclusions',
    sql`exclusions as materialized (
       select e.network_id, e.account_id, e.at, least(e.until, min(ended.at)) as until
       from protection_changes e left join protection_changes ended on ended.network_id = e.network_id and ended.account_id = e.account_id
         and ended.what = 'exclusion' and ended.step = 'withdrawn' and ended.nth > e.nth and ended.until = e.until
       where e.what = 'exclusion' and e.step = 'set' and not e.is_kept
       group by e.network_id, e.account_id, e.nth, e.at, e.until
     ), wrong as (
       select format('ticket %s of network %s won, and its win waited until %s although player %s was excluded from %s on', t.id,
         t.network_id,
                     coalesce(c.claimed_at::text, 'now'), t.account_id, e.at) as problem
       from exclusions e join tickets t on t.network_id = e.network_id and t.account_id = e.account_id
       join draw_settlements s on s.network_id = t.network_id and s.draw_id = t.draw_id and s.manual_claims
       join ticket_wins w on w.network_id = t.network_id and w.draw_id = t.draw_id and w.ticket_id = t.id
       left join ticket_claims c on c.network_id = t.network_id and c.ticket_id = t.id
       where greatest(s.settled_at, e.at) < least(coalesce(c.claimed_at, 'infinity'), e.until)
     )`,
  );
}

async function auditEachClaim(db: Queryable): Promise<Check> {
  return checkWith(db)(
    'every claimed win was waiting and was paid once',
    'ticket_claims',
    sql`moved as (
       select m.network_id, m.reference as ticket_id, count(*) as count, sum(m.amount) as amount, min(m.at) as at,
              min(f.owner_id::text) as owner_id,
              bool_and(f.kind = ${WALLETS.winnings} and c.kind = ${WALLETS.credit} and f.owner_id = c.owner_id
                and (m.actor_id = f.owner_id or (m.actor_id is null and (${WAS_EXCLUDED} or ${WAS_CORRECTED})))) as is_right
       from transfers m left join wallets f on f.network_id = m.network_id and f.id = m.from_wallet
       left join wallets c on c.network_id = m.network_id and c.id = m.to_wallet
       where m.kind = ${TRANSFERS.claim} group by m.network_id, m.reference
     ), claimed as (
       select c.network_id, c.ticket_id, c.claimed_at, t.account_id, w.win, s.manual_claims
       from ticket_claims c left join tickets t on t.network_id = c.network_id and t.id = c.ticket_id
       left join ticket_wins w on w.network_id = t.network_id and w.draw_id = t.draw_id and w.ticket_id = t.id
       left join draw_settlements s on s.network_id = t.network_id and s.draw_id = t.draw_id
     ), compared as materialized (
       select network_id, ticket_id, claimed_at, at, account_id, owner_id, win, amount, manual_claims is true
         and win is not null as is_claim,
              count = 1 and is_right as is_move, case
         when claimed_at is null
           then format('ticket %s of network %s was paid %s hundredths for a claim that nobody made', ticket_id, network_id, amount)
         when manual_claims is not true or win is null then
           format('ticket %s of network %s was claimed, but had no win to claim', ticket_id, network_id)
         when count is distinct from 1 or amount <> win then
           format('ticket %s of network %s won %s hundredths and was claimed; %s were moved for it in %s transfers',
             ticket_id, network_id, win,
                  coalesce(amount, 0), coalesce(count, 0))
         when is_right is not true or owner_id <> account_id::text or at <> claimed_at then
           format('ticket %s of network %s was claimed at %s by player %s; it was moved at %s, or between other wallets',
             ticket_id, network_id,
                  claimed_at, account_id, at)
       end as problem from claimed full join moved using (network_id, ticket_id)
       where manual_claims is not true or win is null or count is distinct from 1 or amount <> win or is_right is not true
         or owner_id is distinct from account_id::text or at is distinct from claimed_at
     ), one_sided as (
       select network_id, coalesce(claimed_at, at) as at, problem,
              case when claimed_at is null then -${amountMark('amount::bigint', 'ticket_id', 'owner_id::uuid')}
                else ${amountMark('win', 'ticket_id', 'account_id')} end as mark
       from compared where (claimed_at is null and is_move) or (at is null and is_claim)
     ), ${explainByClearing({ about: 'claim', what: 'claims', models: ['ticket', 'usertransaction'] })}, wrong as (
       select problem from compared where not ((claimed_at is null and is_move is true) or (at is null and is_claim))
         union all select problem from unexplained
     )`,
  );
}

/** Allows comparison after clearing. The factors are arbitrary. */
const worthOf = (holding: Sql, claimed: Sql): Sql =>
  sql`(uuid_hash_extended(account_id, 0) & 2147483647)::numeric * (${holding}::numeric * 1301081123 + ${claimed}::numeric * 982451653)`;

async function auditSums(db: Queryable): Promise<Check> {
  return checkWith(db)(
    "every day's claims equal the held and claimed wins",
    'claim_sums',
    sql`parts as (
       select p.network_id, p.account_id, s.settled_at as at, p.win as held, 0 as claimed
       from (select * from draw_settlements where manual_claims) as s
       join player_settlements p on p.network_id = s.network_id and p.draw_id = s.draw_id where p.win > 0
       union all
       select c.network_id, t.account_id, c.claimed_at, 0, w.win
       from ticket_claims c join tickets t on t.network_id = c.network_id and t.id = c.ticket_id
       join ticket_wins w on w.network_id = t.network_id and w.draw_id = t.draw_id and w.ticket_id = t.id
     ), expected as (
       select p.network_id, p.account_id, day_start(p.at, zone.value) as starts_at, sum(p.held) as held, sum(p.claimed) as claimed
       from parts p cross join pinned_settings zone where zone.name = 'time-zone' group by 1, 2, 3
     ), compared as materialized (
       select network_id, (starts_at at time zone zone.value)::date as day, account_id, coalesce(c.held, 0) as has_held,
         coalesce(c.claimed, 0) as has_claimed,
              coalesce(e.held, 0) as held, coalesce(e.claimed, 0) as claimed,
              format('player %s of network %s has %s hundredths held and %s claimed on the day from %s; the tickets '
                     'say %s and %s', account_id,
                     network_id, coalesce(c.held, 0), coalesce(c.claimed, 0), starts_at, coalesce(e.held, 0),
                       coalesce(e.claimed, 0)) as problem
       from claim_sums c full join expected e using (network_id, account_id, starts_at) cross join pinned_settings zone
         where zone.name = 'time-zone'
     ), cleared as (select network_id, day, claims_worth as worth from cleared_days where claims_worth <> 0),
     worths as (
       select network_id, day, sum(${worthOf(sql`has_held`, sql`has_claimed`)}) as has,
         sum(${worthOf(sql`held`, sql`claimed`)}) as due from compared group by network_id, day
     ), wrong as (
       select problem from compared left join cleared using (network_id, day)
       where cleared.worth is null and (has_held <> held or has_claimed <> claimed)
       union all
       select format('network %s: what was held and claimed on %s is not what the tickets came to, those that were '
                     'cleared included', network_id, day)
       from cleared left join worths using (network_id, day) where coalesce(has, 0) <> coalesce(due, 0) + worth
     )`,
  );
}
