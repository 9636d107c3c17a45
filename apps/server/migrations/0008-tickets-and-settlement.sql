-- Immutable. Game and price come from the draw, the ticket number from the id.
create table tickets (
  written_by xid8 not null default pg_current_xact_id(), -- see 0020-seals.sql
  stake bigint not null check (stake > 0),
  placed_at timestamptz not null,
  id uuid not null,
  draw_id uuid not null,
  account_id uuid not null,
  request uuid not null, -- derived from account, request id and any request time: one ticket per request, forever
  request_hash uuid not null, -- first half of the request's SHA-256
  network_id integer not null,
  api_key smallint not null default 0, -- number of the API key; 0: the player
  digest bytea not null,
  ip inet, -- client address
  lines text not null, -- `key*quantity`, space-separated
  primary key (network_id, id),
  constraint tickets_request unique (network_id, request)
);
-- Clusters by draw, thus by time. An account index would cost every bet a WAL page; player tickets are found through
-- rollups instead.
create index tickets_draw on tickets (network_id, draw_id, account_id);

create table ticket_wins (
  written_by xid8 not null default pg_current_xact_id(), -- see 0020-seals.sql
  win bigint not null check (win > 0), -- no row: nothing won
  paid_at timestamptz, -- time of the settlement piece; null: settled whole
  ticket_id uuid not null,
  draw_id uuid not null,
  network_id integer not null,
  primary key (network_id, draw_id, ticket_id)
);

-- Only for draws with manual claims; other wins are paid at settlement.
create table ticket_claims (
  claimed_at timestamptz not null,
  ticket_id uuid not null,
  network_id integer not null,
  primary key (network_id, ticket_id)
);

-- The first print is the original, later ones copies.
create table ticket_prints (
  printed_at timestamptz not null,
  ticket_id uuid not null,
  network_id integer not null,
  nth integer not null check (nth > 0), -- per ticket
  primary key (network_id, ticket_id, nth)
);

-- Stakes per bet, for the live panel.
create table exposures (
  stake bigint not null,
  draw_id uuid not null,
  network_id integer not null,
  bet_key text not null,
  primary key (network_id, draw_id, bet_key)
) with (fillfactor = 50); -- frequent updates, like wallets

-- One row per draw with tickets.
create table draw_settlements (
  settled_at timestamptz not null,
  draw_id uuid not null,
  network_id integer not null,
  manual_claims boolean not null, -- wins go to `winnings` until claimed
  primary key (network_id, draw_id)
);
create index draw_settlements_time on draw_settlements (network_id, settled_at);

-- A draw settling in pieces, since its escrow moved to the table. Totals were computed before the first piece;
-- player_settlements record progress in account order.
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

-- Players paid together.
create table settlement_pieces (
  paid_at timestamptz not null,
  paid bigint not null, -- wins plus own commissions
  draw_id uuid not null,
  network_id integer not null,
  players integer not null,
  primary key (network_id, draw_id, paid_at)
);

-- One per draw and player, with the commissions earned at each level. Reports use rollups, plus these rows for partial
-- quarter hours at range ends.
create table player_settlements (
  written_by xid8 not null default pg_current_xact_id(), -- see 0020-seals.sql
  stake bigint not null,
  win bigint not null,
  super_commission bigint not null,
  dist_commission bigint not null,
  retail_commission bigint not null,
  user_commission bigint not null,
  paid_at timestamptz, -- time of the piece; null: settled whole
  draw_id uuid not null,
  account_id uuid not null,
  network_id integer not null,
  primary key (network_id, draw_id, account_id)
);

-- Commissions round cumulatively; fractions carry over in the wallet's `remainder`. One row per settlement or piece,
-- for accounts with a rate.
create table settled_remainders (
  written_by xid8 not null default pg_current_xact_id(), -- see 0020-seals.sql
  paid_at timestamptz, -- time of the piece; null: settled whole
  draw_id uuid not null,
  account_id uuid not null,
  network_id integer not null,
  nth integer not null, -- the wallet's `carried` afterwards, gapless from 1
  before smallint not null check (before between 0 and 9999),
  after smallint not null check (after between 0 and 9999),
  primary key (network_id, draw_id, account_id, nth)
);

-- Per player and ancestor, per quarter hour and per day.
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
) with (fillfactor = 70); -- rows grow with every draw; likewise in the next two tables

-- Manual claims: wins minus claims per day. Other wins count immediately.
create table claim_sums (
  starts_at timestamptz not null,
  held bigint not null default 0, -- won, unclaimed
  claimed bigint not null default 0, -- claimed, won on any day
  account_id uuid not null,
  network_id integer not null,
  primary key (network_id, account_id, starts_at)
) with (fillfactor = 70);

-- Generated draws with bets, per day: actual and expected. Moments are millionths of a hundredth and of a square
-- hundredth (packages/rules/src/games/moments.ts).
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
