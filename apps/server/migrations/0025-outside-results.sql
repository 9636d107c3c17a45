-- Decided by a public lottery, as `National 19:00`; null: the house draws. Fixed at opening. `awaits_until` is then the
-- deadline for its result.
alter table draws add column outside text;
alter table undone_draws add column outside text;
alter table draw_terms drop constraint draw_terms_result_mode_check;
alter table draw_terms add constraint draw_terms_result_mode_check
  check (result_mode in ('open', 'two-person', 'generated', 'outside'));
-- outside: no result was entered before the deadline.
alter type void_cause add value 'outside';
create index draws_outside on draws (network_id, game_id, draws_at) where outside is not null and status = 'closed';
-- Lists of bets look for these draws apart (tickets/read/played-draws.sql.ts).
create index draws_far on draws (network_id, game_id, draws_at)
  where bets_from is not null and draws_at - bets_from > interval '24 hours';
call audited.make_views();

-- Stakes of tickets bought ahead precede the opening time of their draws.
create or replace function judged_transfers(net integer, chosen text, since timestamptz, until timestamptz)
returns table (from_wallet integer, from_version bigint, amount bigint, stays text) language sql stable as $$
  select t.from_wallet, t.from_version, t.amount, case
    when chosen = 'refertransaction' then case when f.kind in (6, 7) or o.kind in (6, 7) then 'border' end
    when chosen = 'commission' then case when
      coalesce((select sum(p.amount) from transfers p
        where p.network_id = net and p.from_wallet = t.to_wallet and p.from_version > t.to_version
                and p.kind not in (7, 9, 10, 11)), 0)
      + coalesce((select sum(g.spent) from wallet_gaps g
        where g.network_id = net and g.wallet_id = t.to_wallet and g.first_version > t.to_version), 0)
      < t.to_balance then 'unpaid' end
    when t.kind = 7 and t.at >= (select min(coalesce(d.bets_from, d.opens_at)) from draws d
      where d.network_id = net and d.status in ('open', 'closed', 'drawn', 'settling'))
      and exists (select from tickets k join draws d on d.network_id = net and d.id = k.draw_id
                  where k.network_id = net and k.id = t.reference and d.status in ('open', 'closed', 'drawn', 'settling')) then 'undrawn'
    when t.kind = 10 and o.kind = 3 and exists (select from tickets k where k.network_id = net and k.id = t.reference)
      and not exists (select from ticket_claims c where c.network_id = net and c.ticket_id = t.reference) then 'unclaimed'
  end
  from transfers t join wallets f on f.network_id = net and f.id = t.from_wallet join wallets o on o.network_id = net and o.id = t.to_wallet
  where t.network_id = net and t.at >= since and t.at < until and t.kind = any(case chosen
    when 'refertransaction' then '{3,4,12}' when 'usertransaction' then '{7,8,9,10,14}' when 'commission' then '{11}' end::smallint[])
$$;
