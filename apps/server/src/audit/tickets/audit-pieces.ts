import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { checkWith, type Check } from '../audit-check.ts';

/**
 * The total is as first computed, each settlement and win is in one piece, and each piece in its draw. No other draw
 * has pieces.
 */
export async function auditPieces(db: Queryable): Promise<Check> {
  return checkWith(db)(
    'every draw paid in pieces came to its expected total, piece by piece',
    'settlement_pieces',
    sql`begun as materialized (
       select b.*, d.id as id, d.status, d.closed_at, d.finished_at, terms.manual_claims as claims_by_terms
       from draw_settlings b left join draws d on d.network_id = b.network_id and d.id = b.draw_id left
         join draw_terms terms on terms.id = d.terms_id
     ), settlements as materialized (
       select p.network_id, p.draw_id, p.paid_at, count(*) as players, sum(p.stake) as stake, sum(p.win) as win,
         sum(p.win + p.user_commission) as paid
       from player_settlements p where (p.network_id, p.draw_id) in (select network_id, draw_id from draw_settlings)
         or p.paid_at is not null
       group by p.network_id, p.draw_id, p.paid_at
     ), came as (
       select network_id, draw_id, sum(players) as players, sum(stake) as stake, sum(win) as win from settlements
         group by network_id, draw_id
     ), judged as (
       select case
         when b.id is null or b.status not in ('settling', 'settled') then
           format('draw %s of network %s began to be paid in pieces, and is %s', b.draw_id, b.network_id, coalesce(b.status::text, 'gone'))
         when b.began_at < b.closed_at or b.began_at > b.finished_at then
           format('draw %s of network %s began to be paid at %s; betting closed at %s, and it was settled at %s',
             b.draw_id, b.network_id, b.began_at,
                  b.closed_at, coalesce(b.finished_at::text, 'no time yet'))
         when b.manual_claims is distinct from b.claims_by_terms then
           format('draw %s of network %s began to be paid with claims %s than its terms say', b.draw_id, b.network_id, 'otherwise')
         when b.status = 'settled' and (b.players, b.stake, b.win) is distinct
           from (c.players::integer, c.stake::bigint, c.win::bigint) then
           format('draw %s of network %s was to come to %s players, stake %s, win %s; its settlements come to %s, %s, %s',
             b.draw_id, b.network_id,
                  b.players, b.stake, b.win, coalesce(c.players, 0), coalesce(c.stake, 0), coalesce(c.win, 0))
         when b.status = 'settling' and b.stake is distinct
           from (select sum(t.stake)::bigint from tickets t where t.network_id = b.network_id and t.draw_id = b.draw_id) then
           format('draw %s of network %s is to come to a stake of %s, which its tickets do not', b.draw_id, b.network_id, b.stake)
       end as problem from begun b left join came c on c.network_id = b.network_id and c.draw_id = b.draw_id
       union all
       select format('draw %s of network %s is being paid, and nothing says since when', d.id, d.network_id)
       from draws d where d.status = 'settling' and not exists (select from draw_settlings b
         where b.network_id = d.network_id and b.draw_id = d.id)
       union all
       select case
         when b.draw_id is null
           then format('draw %s of network %s has a piece of a settlement and never began to be paid in pieces', draw_id, network_id)
         when k.paid_at is null
           then format('%s settlements of draw %s of network %s, paid at %s, belong to no piece', s.players, draw_id, network_id,
                                            coalesce(s.paid_at::text, 'its settlement'))
         when k.players is distinct from s.players then
           format('the piece of draw %s of network %s that was paid at %s has %s players; %s settlements are of it',
             draw_id, network_id, k.paid_at,
                  k.players, coalesce(s.players, 0))
         when k.paid <> s.paid then
           format('the piece of draw %s of network %s that was paid at %s paid %s; its settlements come to %s', draw_id,
             network_id, k.paid_at, k.paid, s.paid)
         when k.paid_at < b.began_at or k.paid_at > b.finished_at then
           format('a piece of draw %s of network %s was paid at %s; it was settled from %s to %s', draw_id, network_id,
             k.paid_at, b.began_at,
                  coalesce(b.finished_at::text, 'now'))
       end
       from (select network_id, draw_id, paid_at, paid_at as of_piece, players, paid from settlement_pieces) as k
       full join (select *, paid_at as of_piece from settlements) as s using (network_id, draw_id, of_piece)
       left join begun b using (network_id, draw_id)
       union all
       select format('the win of ticket %s of network %s was paid at %s; its player''s settlement at %s', w.ticket_id, w.network_id,
                     coalesce(w.paid_at::text, 'the draw''s settlement'), coalesce(p.paid_at::text, 'the draw''s settlement'))
       from (
         select * from ticket_wins where paid_at is not null
         union all select w.* from draw_settlings b
           join ticket_wins w on w.network_id = b.network_id and w.draw_id = b.draw_id and w.paid_at is null
       ) as w
       join tickets t on t.network_id = w.network_id and t.id = w.ticket_id
       left join player_settlements p on p.network_id = w.network_id and p.draw_id = w.draw_id and p.account_id = t.account_id
       where p.paid_at is distinct from w.paid_at
     ), wrong as (select problem from judged where problem is not null)`,
  );
}
