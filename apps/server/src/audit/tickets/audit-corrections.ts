import { PAY_SCALE } from '@drawhouse/rules/games/game-rules';
import { checkWith, Findings, loggedId, problemsOf, type Check, type CheckBySql } from '../audit-check.ts';
import { WALLETS, TRANSFERS } from '../audited-kinds.ts';
import { auditedRules, READ_LINES, type AuditedGame } from '../audited-rows.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';

const { credit, table } = WALLETS;

export async function auditCorrections(db: Queryable): Promise<Check[]> {
  const check = checkWith(db);
  return [await auditOrders(check), await auditMoves(check), await auditShortfalls(check), await auditWins(db)];
}

/** Time for corrections, with slack for clock differences. */
const WITHIN = sql`interval '24 hours 1 minute'`;

/** Each correction continues from the one before, and two people made it. */
function auditOrders(check: CheckBySql): Promise<Check> {
  return check(
    'every correction was approved by a second person, and the draw has the last result',
    'corrections',
    sql`told as materialized (
       select ${loggedId('drawId')} as draw_id, detail -> 'correction' as said from audited.standing_activity where detail ? 'correction'
     ), ordered as (
       select c.*, lag(nth) over its as last_nth, lag(at) over its as last_at, lag(after_result::jsonb) over its as last_result,
         lead(nth) over its is null as is_last
       from corrections c window its as (partition by network_id, draw_id order by nth)
     ), judged as (
       select case
         when d.id is null then 'is of a draw that does not exist'
         when d.outside is null or d.status <> 'settled' then 'is of a draw that no outside lottery settled'
         when c.at < d.finished_at or c.at > d.finished_at + ${WITHIN} then 'is not of the 24 hours after the result'
         when c.nth <> coalesce(c.last_nth, 0) + 1 or c.at <= c.last_at then 'does not follow the one before'
         when c.last_nth is not null and c.last_result is distinct from c.before_result::jsonb
           then 'corrects another result than the one before it left'
         when c.is_last and (d.result::jsonb, d.result_label) is distinct from (c.after_result::jsonb, c.after_label) then
           format('says %s, but the draw has the result %s', c.after_label, d.result_label)
         when p.id is null or p.kind <> 'correction' or p.state <> 'approved' then 'has no approved request'
         when (p.account_id, p.login) = (p.decided_by, p.decided_login) then 'was approved by the person who asked for it'
         when not exists (select from told where told.draw_id = c.draw_id and (told.said ->> 'nth')::int = c.nth
           and told.said -> 'before' = c.before_result::jsonb and told.said -> 'after' = c.after_result::jsonb) then 'is in no log'
       end as problem, c.network_id, c.draw_id, c.nth
       from ordered c left join draws d on d.network_id = c.network_id and d.id = c.draw_id
       left join approvals p on p.network_id = c.network_id and p.id = c.approval
       union all
       select 'is logged and is gone', d.network_id, told.draw_id, (told.said ->> 'nth')::int
       from told join draws d on d.id = told.draw_id
       where not exists (select from corrections c where c.draw_id = told.draw_id and c.nth = (told.said ->> 'nth')::int)
     ), wrong as (
       select format('correction %s of draw %s of network %s %s', nth, draw_id, network_id, problem) as problem
       from judged where problem is not null
     )`,
  );
}

/** Payments of tickets before and by each correction. */
const CHAINED = sql`chained as materialized (
  select c.*, coalesce(lag(c.paid) over (partition by c.network_id, c.draw_id, c.ticket_id order by c.nth), w.win, 0) as before
  from ticket_corrections c
  left join ticket_wins w on w.network_id = c.network_id and w.draw_id = c.draw_id and w.ticket_id = c.ticket_id
)`;

/**
 * Each change of a ticket's payment is one transfer between its player and the table of its game. After the player was
 * deleted, the next account above pays and is paid.
 */
function auditMoves(check: CheckBySql): Promise<Check> {
  return check(
    'every corrected ticket was paid once what its correction says',
    'ticket_corrections',
    sql`${CHAINED}, due as (
       select c.network_id, c.ticket_id, c.at, count(*) as count, sum(c.moved) as moved, min(payee.id::text) as account_id,
         min(d.game_id::text) as game_id
       from chained c join draws d on d.network_id = c.network_id and d.id = c.draw_id
       left join accounts a on a.network_id = c.network_id and a.id = c.account_id
       left join lateral (
         select up.id from accounts up where up.network_id = a.network_id and up.id = any(a.chain)
           and (up.deleted_at is null or up.deleted_at > c.at) order by cardinality(up.chain) desc limit 1
       ) as payee on true where c.moved <> 0
       group by c.network_id, c.ticket_id, c.at
     ), moved as (
       select t.network_id, t.reference as ticket_id, t.at, count(*) as count,
         sum(case f.kind when ${credit} then -t.amount else t.amount end) as moved,
         min(case f.kind when ${credit} then f.owner_id else o.owner_id end::text) as account_id,
         min(case f.kind when ${credit} then o.owner_id else f.owner_id end::text) as game_id,
         bool_and((f.kind, o.kind) in ((${credit}, ${table}), (${table}, ${credit})) and t.actor_id is null and t.note = '') as is_right
       from transfers t left join wallets f on f.network_id = t.network_id and f.id = t.from_wallet
       left join wallets o on o.network_id = t.network_id and o.id = t.to_wallet
       where t.kind = ${TRANSFERS.correct} group by t.network_id, t.reference, t.at
     ), wrong as (
       select format('ticket %s of network %s was to get %s hundredths by a correction at %s; %s were moved in %s transfers%s', ticket_id,
         network_id, coalesce(d.moved, 0), at, coalesce(m.moved, 0), coalesce(m.count, 0),
         case when m.is_right is false or m.account_id <> d.account_id or m.game_id <> d.game_id
           then ', not between its player and the table of its game' else '' end) as problem
       from due d full join moved m using (network_id, ticket_id, at)
       where d.moved is distinct from m.moved or m.count is distinct from d.count or m.is_right is not true
         or m.account_id is distinct from d.account_id or m.game_id is distinct from d.game_id
       union all
       select format('correction %s of ticket %s of network %s left it %s hundredths; with %s before it, they are %s', c.nth, c.ticket_id,
         c.network_id, c.paid, c.before, c.before + c.moved)
       from chained c where c.paid <> c.before + c.moved
       union all
       select format('correction %s of ticket %s of network %s is of no such ticket or correction', c.nth, c.ticket_id, c.network_id)
       from chained c where not exists (select from tickets t where t.network_id = c.network_id and t.id = c.ticket_id
         and t.draw_id = c.draw_id and t.account_id = c.account_id)
         or not exists (select from corrections k where k.network_id = c.network_id and k.draw_id = c.draw_id and k.nth = c.nth
           and c.at >= k.at - interval '1 minute')
     )`,
  );
}

/** Less than due was taken back only from players with nothing left. */
function auditShortfalls(check: CheckBySql): Promise<Check> {
  return check(
    'every correction took back all that its players had',
    'short',
    sql`${CHAINED}, short as materialized (select * from chained where paid > win), states as materialized (
       select s.network_id, s.ticket_id, s.nth, t.at, t.balance, lead(t.at) over (
         partition by s.network_id, s.ticket_id, s.nth order by t.version) as until
       from short s join wallets w on w.network_id = s.network_id and w.owner_id = s.account_id and w.kind = ${credit}
       cross join lateral (
         select x.at, x.to_balance as balance, x.to_version as version from transfers x
         where x.network_id = w.network_id and x.to_wallet = w.id and x.at <= s.at
         union all select x.at, x.from_balance, x.from_version from transfers x
         where x.network_id = w.network_id and x.from_wallet = w.id and x.at <= s.at
       ) as t
     ), wrong as (
       select format('correction %s of ticket %s of network %s left %s hundredths that its player still had', s.nth, s.ticket_id,
         s.network_id, s.paid - s.win) as problem
       from short s
       where exists (select from states b where (b.network_id, b.ticket_id, b.nth) = (s.network_id, s.ticket_id, s.nth))
         and not exists (select from states b where (b.network_id, b.ticket_id, b.nth) = (s.network_id, s.ticket_id, s.nth)
           and b.balance = 0 and (b.until is null or b.until >= s.at))
         and not exists (select from wallet_gaps g join wallets w on w.network_id = g.network_id and w.id = g.wallet_id
           where g.network_id = s.network_id and w.owner_id = s.account_id and w.kind = ${credit} and g.last_at >= s.at - interval '1 day')
     )`,
  );
}

interface CorrectedDraw extends AuditedGame {
  readonly network_id: number;
  readonly draw_id: string;
  readonly nth: number;
  readonly after_result: unknown;
  readonly unit_price: bigint;
  readonly is_done: boolean;
}

/** Recomputes all wins of corrected draws, which are few. */
async function auditWins(db: Queryable): Promise<Check> {
  const found = new Findings();
  const corrections = await db.query<CorrectedDraw>(
    sql`select c.network_id, c.draw_id, c.nth, c.after_result, c.done_at is not null as is_done, g.game_key, g.family, g.digits,
        terms.pays, terms.unit_price
      from corrections c join draws d on d.network_id = c.network_id and d.id = c.draw_id join draw_terms terms on terms.id = d.terms_id
      join games g on g.id = d.game_id order by c.network_id, c.draw_id, c.nth`,
  );
  for (const correction of corrections) found.addAll(await problemsOfWins(db, correction));
  return {
    name: 'every ticket won what the corrected result says',
    rows: corrections.length,
    problems: found.problems,
  };
}

async function problemsOfWins(
  db: Queryable,
  { network_id, draw_id, nth, after_result, unit_price, is_done, ...game }: CorrectedDraw,
): Promise<readonly string[]> {
  const rules = auditedRules(game);
  if (!rules?.isResult(after_result))
    return [`correction ${nth} of draw ${draw_id} has a result that its game does not know`];
  const pays = Object.fromEntries(rules.winningBets(after_result).map((bet) => [bet.key, bet.payHundredths]));
  return problemsOf(
    db,
    sql`select format('ticket %s of network %s wins %s hundredths by correction %s of its draw; it has %s', t.id, t.network_id,
        coalesce(l.win, 0), ${nth}::int, coalesce(c.win, w.win, 0)) as problem
      from tickets t
      left join ticket_wins w on w.network_id = t.network_id and w.draw_id = t.draw_id and w.ticket_id = t.id
      left join lateral (select c.win, c.nth from ticket_corrections c where c.network_id = t.network_id and c.draw_id = t.draw_id
        and c.ticket_id = t.id and c.nth <= ${nth} order by c.nth desc limit 1) as c on true
      cross join lateral (
        select sum(qty * ${unit_price}::bigint * (${JSON.stringify(pays)}::jsonb ->> key)::bigint / ${sql.lit(PAY_SCALE)})::bigint as win
        from ${READ_LINES}
      ) as l
      where t.network_id = ${network_id} and t.draw_id = ${draw_id} and (${is_done} or c.nth = ${nth})
        and coalesce(l.win, 0) <> coalesce(c.win, w.win, 0) order by t.id`,
  );
}
