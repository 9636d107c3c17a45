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

call keep_written('settled_remainders', '');
call keep_written('cleared_remainders', '*');
call audited.make_views();
