import { HOLDINGS } from '@drawhouse/rules/records/ledger-kinds';
import { checkWith, type Check, type CheckBySql } from '../audit-check.ts';
import { WALLETS } from '../audited-kinds.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';

const OF_MOVEMENTS = sql`('usertransaction', 'refertransaction', 'commission')`;
const { credit, commission, winnings, table, escrow } = WALLETS;

/** Also reports records that can no longer be proved. */
export async function auditClearings(db: Queryable): Promise<Check[]> {
  const check = checkWith(db);
  return [
    { ...(await clearingsAsLogged(check)), unproven: await listUnproven(db) },
    await gapsAsCleared(check),
    await flowsOfGaps(check),
    await drawsAsCleared(check),
  ];
}

async function clearingsAsLogged(check: CheckBySql): Promise<Check> {
  return check(
    'every clearing of history is logged',
    'clearings',
    sql`told as (
       select l.network_id, (l.detail -> 'cleared' ->> 'clearing')::uuid as id, removed.key as model, removed.value ->> 'rows' as rows,
              removed.value ->> 'logRows' as log_rows, removed.value ->> 'amount' as amount
       from activity l cross join lateral jsonb_each(l.detail -> 'cleared' -> 'removed') as removed where l.detail -> 'cleared' ? 'removed'
     ), begun as (
       select network_id, (detail -> 'cleared' ->> 'clearing')::uuid as id, account_id,
         detail -> 'cleared' ->> 'backup' as backup from activity
       where detail -> 'cleared' ? 'backup'
     ), wrong as (
       select format('clearing %s of %s in network %s removed %s rows, %s of them of the log, with %s hundredths, but '
                     'the log says %s, %s and %s', id, model, network_id,
                     coalesce(c.removed::text, 'no'), coalesce(c.log_rows::text, 'none'), coalesce(c.amount::text,
                       'no'), coalesce(t.rows, 'nothing'),
                     coalesce(t.log_rows, 'nothing'), coalesce(t.amount, 'nothing')) as problem
       from (select * from clearings where finished_at is not null) as c full join told t using (network_id, id, model)
       where (c.removed::text, c.log_rows::text, c.amount::text) is distinct from (t.rows, t.log_rows, t.amount)
       union all
       select format('clearing %s of network %s is of %s with the backup %s, but the log says %s with %s', c.id,
         c.network_id, c.account_id, c.backup,
                     coalesce(b.account_id::text, 'nothing'), coalesce(b.backup, 'nothing'))
       from (select distinct network_id, id, account_id, backup from clearings) as c left join begun b using (network_id, id)
       where (c.account_id, c.backup) is distinct from (b.account_id, b.backup)
     )`,
  );
}

async function gapsAsCleared(check: CheckBySql): Promise<Check> {
  return check(
    'gaps in histories and logs match what was cleared',
    'wallet_gaps',
    sql`cleared as (
       select network_id, coalesce(sum(removed) filter (where model in ${OF_MOVEMENTS}), 0) as movements,
              coalesce(sum(amount) filter (where model in ${OF_MOVEMENTS}), 0) as amount, sum(log_rows) as log_rows,
              coalesce(sum(removed) filter (where model = 'result'), 0) as results,
              coalesce(sum(removed) filter (where model = 'ticket'), 0) as tickets,
                coalesce(sum(amount) filter (where model = 'ticket'), 0) as stakes
       from clearings group by network_id
     ), gaps as (
       select network_id, sum(last_version - first_version + 1) as sides, sum(gained) as gained, sum(spent) as spent
         from wallet_gaps group by network_id
     ), log_gaps as (
       select network_id, sum(last_seq - first_seq + 1) as rows from activity_gaps group by network_id
     ), plays as (
       select network_id, sum(tickets) as tickets, sum(stake) as stakes from cleared_draws group by network_id
     ), requests as (select network_id, count(*) as requests from cleared_requests group by network_id),
     hidden as (select network_id, count(*) as hidden from cleared_results group by network_id),
     compared as (
       select network_id, coalesce(c.movements, 0) as movements, coalesce(c.amount, 0) as amount, coalesce(c.log_rows, 0) as log_rows,
              coalesce(c.tickets, 0) as tickets, coalesce(c.stakes, 0) as stakes, coalesce(g.sides, 0) as sides,
                coalesce(g.gained, 0) as gained,
              coalesce(g.spent, 0) as spent, coalesce(l.rows, 0) as rows, coalesce(p.tickets, 0) as played, coalesce(p.stakes, 0) as staked,
              coalesce(r.requests, 0) as requests, coalesce(c.results, 0) as results, coalesce(h.hidden, 0) as hidden
       from cleared c full join gaps g using (network_id) full join log_gaps l using (network_id) full join plays p using (network_id)
       full join requests r using (network_id) full join hidden h using (network_id)
     ), wrong as (
       select format('the histories of network %s lack %s movements with %s hundredths; %s with %s were cleared', network_id, sides / 2,
                     gained, movements, amount) as problem
       from compared where sides <> 2 * movements or gained <> amount or spent <> amount
       union all
       select format('the log of network %s lacks %s rows; %s were cleared', network_id, rows, log_rows) from compared
         where rows <> log_rows
       union all
       select format('the log of network %s hides %s rows about saved results; %s were cleared', network_id, hidden,
         results) from compared where hidden <> results
       union all
       select format('network %s has draws whose %s tickets of %s hundredths are gone, and %s of their requests; %s '
                     'tickets of %s were cleared', network_id,
                     played, staked, requests, tickets, stakes)
       from compared where played <> tickets or staked <> stakes or requests <> tickets
     )`,
  );
}

async function flowsOfGaps(check: CheckBySql): Promise<Check> {
  return check(
    'what was cleared of days is what is missing from histories',
    'cleared_days',
    sql`missing as (
       select g.network_id, case
           when w.kind = ${credit} then case when a.role = 'user' then 'player_credit' else 'staff_credit' end
           when w.kind = ${escrow} then 'escrow' when w.kind = ${winnings} then 'winnings' when w.kind = ${commission} then 'commission'
           when w.kind = ${table} then 'tables' else 'outside' end as holding, sum(g.closing - g.opening) as gain
       from wallet_gaps g left join wallets w on w.network_id = g.network_id and w.id = g.wallet_id left
         join accounts a on a.id = w.owner_id
       group by 1, 2
     ), cleared as (
       select d.network_id, part.holding, sum(part.amount) as gain
       from cleared_days d cross
         join lateral (values ${sql.raw(HOLDINGS.map((name) => `('${name}', d.${name})`).join(', '))}) as part (holding, amount)
       group by 1, 2
     ), wrong as (
       select format('network %s: %s hundredths of %s were cleared; histories lack %s', network_id, coalesce(c.gain, 0),
         holding, coalesce(m.gain, 0)) as problem
       from cleared c full join missing m using (network_id, holding) where coalesce(c.gain, 0) <> coalesce(m.gain, 0)
     )`,
  );
}

async function drawsAsCleared(check: CheckBySql): Promise<Check> {
  return check(
    'every draw with cleared tickets has their totals',
    'cleared_draws',
    sql`wrong as (
       select format('draw %s of network %s was closed with %s tickets; %s of it were cleared',
         coalesce(d.id, c.draw_id), coalesce(d.network_id, c.network_id),
                     coalesce(d.ticket_count, 0), coalesce(c.tickets, 0)) as problem
       from (select * from draws where tickets_cleared) as d full join cleared_draws c on c.network_id = d.network_id and c.draw_id = d.id
       where case when d.id is null then exists (select from draws o where o.network_id = c.network_id and o.id = c.draw_id)
                  else (d.ticket_count, d.game_id, d.finished_at, d.status, d.source)
                    is distinct from (c.tickets, c.game_id, c.finished_at, c.status, c.source) end
       union all
       select format('ticket %s of network %s is of draw %s, whose tickets were cleared', t.id, t.network_id, t.draw_id)
       from cleared_draws c join tickets t on t.network_id = c.network_id and t.draw_id = c.draw_id
     )`,
  );
}

async function listUnproven(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ network_id: number; model: string; rows: bigint; until: string }>(
    sql`select network_id, model, sum(removed) ::bigint as rows, max((ends_at at time zone zone.value)::date - 1)::text as until
     from clearings cross join pinned_settings zone where zone.name = 'time-zone' and removed > 0 group by network_id, model
       order by network_id, model`,
  );
  const unfinished = await db.query<{ network_id: number; id: string }>(
    sql`select distinct network_id, id from clearings where finished_at is null order by 1, 2`,
  );
  return [
    ...rows.flatMap(({ network_id, model, rows: count, until }) => {
      const lost = LOST[model];
      return lost === undefined ? [] : [`network ${network_id}, until ${until}: ${lost(String(count))}`];
    }),
    ...unfinished.map(
      ({ network_id, id }) =>
        `network ${network_id}: clearing ${id} is running or was interrupted, but the log says what it cleared once it has finished`,
    ),
  ];
}

const LOST: Readonly<Record<string, (rows: string) => string>> = {
  usertransaction: (rows) =>
    `for ${rows} bets, wins, claims and collections only sums are known, by wallet and day; each was ` +
    'proven to match its ticket when it was cleared',
  refertransaction: (rows) =>
    `for ${rows} transfers between accounts only sums are known, by wallet and day; only the log says who ordered them`,
  commission: (rows) => `for ${rows} commissions only sums are known, by wallet and day`,
  ticket: (rows) =>
    `${rows} tickets are cleared: their lines, their wins, the roots of their draws and the expectations ` +
    `of those draws can't be computed again`,
  draw: (rows) => `${rows} draws are cleared, with their seeds and results`,
  userlog: (rows) => `${rows} log rows are cleared; the hash after them proves that none was changed before`,
  upcome: (rows) => `${rows} log rows of replaced percentages and limits are cleared`,
};
