-- Commissions are rounded cumulatively: what a stake earns below a hundredth is carried to the earner's next settlement. A remainder is in
-- 1/10,000 of a hundredth: hundredths of a percent × hundredths.
alter table wallets
  add column remainder smallint not null default 0 check (remainder between 0 and 9999), -- of a commission wallet: what is earned and not paid yet
  add column carried integer not null default 0; -- how many settlements have changed it

-- What a settlement, or a piece of one, did to the remainder of each account whose rate was above 0.
create table settled_remainders (
  written_by xid8 not null default pg_current_xact_id(), -- the transaction that wrote it (0020-seals.sql)
  paid_at timestamptz, -- with which piece; null: when its draw was settled
  draw_id uuid not null,
  account_id uuid not null,
  network_id integer not null default nullif(current_setting('drawhouse.network', true), '')::int,
  nth integer not null, -- `carried` of the wallet after it: counts from 1 without a gap
  before smallint not null check (before between 0 and 9999),
  after smallint not null check (after between 0 and 9999),
  primary key (network_id, draw_id, account_id, nth)
);

-- What takes the place of the rows of draws whose tickets were cleared: how many they were, and by how much they changed the remainder.
create table cleared_remainders (
  change bigint not null,
  account_id uuid not null,
  network_id integer not null default nullif(current_setting('drawhouse.network', true), '')::int,
  settlements integer not null,
  primary key (network_id, account_id)
);
alter table cleared_remainders enable row level security;
create policy is_read on cleared_remainders for select using (true);
create policy is_beside on cleared_remainders for insert with check (network_id in (select id from networks_beside));

create function clear_remainders(net integer, chosen uuid[]) returns void language plpgsql as $$
begin
  with gone as (delete from settled_remainders where network_id = net and draw_id = any(chosen) returning account_id, after - before as change)
  insert into cleared_remainders (network_id, account_id, settlements, change) select net, account_id, count(*), sum(change) from gone group by account_id
  on conflict (network_id, account_id) do update set settlements = cleared_remainders.settlements + excluded.settlements,
    change = cleared_remainders.change + excluded.change;
end $$;
revoke execute on function clear_remainders from public;

-- As in 0013-clear-functions.sql, with the remainders.
create or replace function clear_tickets(net integer, clearing uuid, draw_ids uuid[]) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  asked clearings := require_clearing(net, clearing, 'ticket');
  chosen uuid[];
  total bigint;
begin
  select array_agg(j.draw_id) into chosen from judged_plays(net, asked.starts_at, asked.ends_at) as j where j.draw_id = any(draw_ids) and j.stays is null;
  if chosen is null then return 0; end if;

  insert into cleared_draws (network_id, draw_id, game_id, finished_at, collected_at, status, source, tickets, players, stake, win, commissions)
  select net, d.id, d.game_id, d.finished_at, (select b.began_at from draw_settlings b where b.network_id = net and b.draw_id = d.id), d.status, d.source, t.tickets, t.players, t.stake, coalesce(s.win, 0), coalesce(s.commissions, 0)
  from draws d
  join (select k.draw_id, count(*) as tickets, count(distinct k.account_id) as players, sum(k.stake) as stake
        from tickets k where k.network_id = net and k.draw_id = any(chosen) group by k.draw_id) as t on t.draw_id = d.id
  left join (select p.draw_id, sum(p.win) as win, sum(p.super_commission + p.dist_commission + p.retail_commission + p.user_commission) as commissions
             from player_settlements p where p.network_id = net and p.draw_id = any(chosen) group by p.draw_id) as s on s.draw_id = d.id
  where d.network_id = net;

  perform note_plays(net, chosen);

  delete from ticket_claims c using tickets t where t.network_id = net and t.draw_id = any(chosen) and c.network_id = net and c.ticket_id = t.id;
  delete from ticket_prints p using tickets t where t.network_id = net and t.draw_id = any(chosen) and p.network_id = net and p.ticket_id = t.id;
  delete from ticket_wins where network_id = net and draw_id = any(chosen);
  delete from exposures where network_id = net and draw_id = any(chosen);
  delete from player_settlements where network_id = net and draw_id = any(chosen);
  delete from draw_settlements where network_id = net and draw_id = any(chosen);
  delete from settlement_pieces where network_id = net and draw_id = any(chosen);
  delete from draw_settlings where network_id = net and draw_id = any(chosen);
  perform clear_remainders(net, chosen);
  with gone as (delete from tickets where network_id = net and draw_id = any(chosen) returning request)
  insert into cleared_requests (network_id, request) select net, request from gone;
  get diagnostics total = row_count;
  update draws set tickets_cleared = true where network_id = net and id = any(chosen);
  update clearings c set removed = removed + total,
    amount = c.amount + (select sum(stake) from cleared_draws where network_id = net and draw_id = any(chosen))
  where c.network_id = net and c.id = clearing and c.model = 'ticket';
  return total;
end $$;

call keep_written('settled_remainders', '');
call keep_written('cleared_remainders', '*');
call audited.make_views();
