-- What generated draws with bets came to and were expected to, by day of the network's time zone. Moments are in millionths: of a
-- hundredth of a point, and of a square hundredth (packages/rules/src/moments.ts).
create table return_sums (
  expected_win numeric(60) not null,
  variance numeric(60) not null,
  starts_at timestamptz not null,
  stake bigint not null,
  win bigint not null,
  draws bigint not null,
  game_id uuid not null,
  network_id integer not null,
  primary key (network_id, game_id, starts_at)
) with (fillfactor = 70);

-- Whether the draw counts in these sums once it is settled. Those that were opened before there were any do not.
alter table draws add column counted boolean not null default false;
alter table draws alter column counted set default true;

-- The most that may be staked, in hundredths; none: no limit.
alter table network_games
  add column per_number bigint check (per_number > 0), -- on one bet of one draw, by all players together
  add column per_ticket bigint check (per_ticket > 0),
  add column per_player bigint check (per_player > 0); -- by one player on one draw
