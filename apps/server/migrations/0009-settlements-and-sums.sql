-- What is the same for all players of a settled draw, once for each draw with tickets.
create table draw_settlements (
  settled_at timestamptz not null,
  draw_id uuid not null,
  network_id integer not null,
  manual_claims boolean not null, -- wins went to the players' winnings, to be claimed
  primary key (network_id, draw_id)
);
create index draw_settlements_time on draw_settlements (network_id, settled_at);

-- A draw that is settled in pieces, once it began to be: what all of its players come to, which was computed first, and when its escrow went
-- to the table. What was paid since are the settlements of its players, in the order of their accounts.
create table draw_settlings (
  began_at timestamptz not null,
  stake bigint not null,
  win bigint not null,
  draw_id uuid not null,
  network_id integer not null,
  players integer not null,
  manual_claims boolean not null,
  primary key (network_id, draw_id)
);

-- Some of its players, who were paid at one time.
create table settlement_pieces (
  paid_at timestamptz not null,
  paid bigint not null, -- what left the table: wins, and the players' own commissions
  draw_id uuid not null,
  network_id integer not null,
  players integer not null,
  primary key (network_id, draw_id, paid_at)
);

-- What one draw came to for one player, written once when it is settled. The commissions are those that the player's stake
-- earned at each level. Reports read the rollups; for the odd ends of a range they read these rows.
create table player_settlements (
  written_by xid8 not null default pg_current_xact_id(), -- the transaction that wrote it (0020-seals.sql)
  stake bigint not null,
  win bigint not null,
  super_commission bigint not null,
  dist_commission bigint not null,
  retail_commission bigint not null,
  user_commission bigint not null,
  paid_at timestamptz, -- with which piece; null: when its draw was settled
  draw_id uuid not null,
  account_id uuid not null,
  network_id integer not null,
  primary key (network_id, draw_id, account_id)
);

-- The same, summed for the player and each ancestor, per quarter of an hour and per day of the server's time zone.
create table rollups (
  starts_at timestamptz not null,
  stake bigint not null,
  win bigint not null,
  super_commission bigint not null,
  dist_commission bigint not null,
  retail_commission bigint not null,
  user_commission bigint not null,
  account_id uuid not null,
  game_id uuid not null,
  network_id integer not null,
  grain text not null check (grain in ('quarter', 'day')),
  primary key (network_id, account_id, grain, starts_at, game_id)
) with (fillfactor = 70); -- a row grows with each draw of its time: so in this table and the next two

-- By how much what a player claimed on a day differs from what it won, by day of the time zone. Beside draws with manual claims it has no rows:
-- what is won there is claimed with it.
create table claim_sums (
  starts_at timestamptz not null,
  held bigint not null default 0, -- that was won and waited to be claimed
  claimed bigint not null default 0, -- that had waited, on whatever day it was won
  account_id uuid not null,
  network_id integer not null,
  primary key (network_id, account_id, starts_at)
) with (fillfactor = 70);

-- What generated draws with bets came to and were expected to, by day of the time zone. Moments are in millionths: of a hundredth of a point,
-- and of a square hundredth (packages/rules/src/moments.ts).
create table return_sums (
  starts_at timestamptz not null,
  stake bigint not null,
  win bigint not null,
  draws bigint not null,
  game_id uuid not null,
  network_id integer not null,
  expected_win numeric(60) not null,
  variance numeric(60) not null,
  primary key (network_id, game_id, starts_at)
) with (fillfactor = 70);
