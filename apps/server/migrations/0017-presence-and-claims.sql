-- Which servers there are, and the sockets that each one has open. A server says every few seconds that it is there: the sockets of one that
-- has been silent for long are gone.
create table servers (
  seen_at timestamptz not null,
  id uuid primary key
);
create table open_sockets (
  server_id uuid not null references servers (id) on delete cascade,
  token_hash bytea not null, -- of the session
  primary key (token_hash, server_id)
);
create index open_sockets_server on open_sockets (server_id);

-- By how much what a player claimed on a day differs from what it won, by day of the time zone. Beside draws with manual claims it has no rows:
-- what is won there is claimed with it.
create table claim_sums (
  starts_at timestamptz not null,
  held bigint not null default 0, -- hundredths that were won and waited to be claimed
  claimed bigint not null default 0, -- hundredths that had waited, on whatever day they were won
  account_id uuid not null,
  network_id integer not null,
  primary key (network_id, account_id, starts_at)
) with (fillfactor = 70);

insert into claim_sums (network_id, account_id, starts_at, held, claimed)
  select network_id, account_id, date_trunc('day', at, zone.value), sum(held), sum(claimed)
  from (
    select p.network_id, p.account_id, s.settled_at as at, p.win as held, 0 as claimed
    from draw_settlements s join player_settlements p on p.network_id = s.network_id and p.draw_id = s.draw_id
    where s.manual_claims and p.win > 0
    union all
    select c.network_id, t.account_id, c.claimed_at, 0, w.win
    from ticket_claims c join tickets t on t.network_id = c.network_id and t.id = c.ticket_id
    join ticket_wins w on w.network_id = t.network_id and w.draw_id = t.draw_id and w.ticket_id = t.id
  ) as parts cross join pinned_settings zone where zone.name = 'time-zone'
  group by 1, 2, 3;
