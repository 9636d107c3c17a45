-- Tickets are added, never changed: wins and claims are rows of their own. The game and the price are those of the draw; the number on a
-- ticket follows from its id.
create table tickets (
  written_by xid8 not null default pg_current_xact_id(), -- the transaction that wrote it (0012-seals.sql)
  stake bigint not null check (stake > 0),
  placed_at timestamptz not null,
  id uuid not null,
  draw_id uuid not null,
  account_id uuid not null,
  request uuid not null, -- from the account and the request id, after the request's time if it has one: a request makes one ticket, for ever
  request_hash uuid not null, -- the first half of the SHA-256 of the request
  network_id integer not null,
  api_key smallint not null default 0, -- the number of the key by which a program placed it; 0: the player did
  digest bytea not null,
  ip inet, -- from where it was placed
  lines text not null, -- `key*quantity`, joined by spaces, key as in the rules of the game
  primary key (network_id, id),
  constraint tickets_request unique (network_id, request)
);
-- Tickets of a draw lie together in time, and so do these keys. An index by account over all draws would be scattered, and cost each bet
-- a page of the WAL: a player's tickets are found by the draws of the player's rollups.
create index tickets_draw on tickets (network_id, draw_id, account_id);

create table ticket_wins (
  written_by xid8 not null default pg_current_xact_id(), -- the transaction that wrote it (0012-seals.sql)
  win bigint not null check (win > 0), -- a settled ticket without a row has won nothing
  paid_at timestamptz, -- with which piece of its draw's settlement; null: when its draw was settled
  ticket_id uuid not null,
  draw_id uuid not null,
  network_id integer not null,
  primary key (network_id, draw_id, ticket_id)
);

-- Claimed wins of draws with manual claims. All other wins were paid when their draw was settled.
create table ticket_claims (
  claimed_at timestamptz not null,
  ticket_id uuid not null,
  network_id integer not null,
  primary key (network_id, ticket_id)
);

-- Prints of tickets: the first is the original, each later one is marked as a copy, on whichever device.
create table ticket_prints (
  printed_at timestamptz not null,
  ticket_id uuid not null,
  network_id integer not null,
  nth integer not null check (nth > 0), -- of its ticket
  primary key (network_id, ticket_id, nth)
);

-- Stakes on each bet of a draw: the sums of the live panel.
create table exposures (
  stake bigint not null,
  draw_id uuid not null,
  network_id integer not null,
  bet_key text not null,
  primary key (network_id, draw_id, bet_key)
) with (fillfactor = 50); -- bets write them anew, as they do wallets

-- What all players of a settled draw share: one row for each draw with tickets.
create table draw_settlements (
  settled_at timestamptz not null,
  draw_id uuid not null,
  network_id integer not null,
  manual_claims boolean not null, -- wins went to the players' winnings, to be claimed
  primary key (network_id, draw_id)
);
create index draw_settlements_time on draw_settlements (network_id, settled_at);

-- A draw that is settled in pieces, from the time that its escrow went to the table: the totals of all players, computed before the first
-- piece. Its player_settlements show how far it has come: players are paid in the order of their accounts.
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

-- Players of such a draw who were paid together.
create table settlement_pieces (
  paid_at timestamptz not null,
  paid bigint not null, -- what left the table: wins, and the players' own commissions
  draw_id uuid not null,
  network_id integer not null,
  players integer not null,
  primary key (network_id, draw_id, paid_at)
);

-- One draw of one player, written once when it is settled. The commissions are those that the player's stake earned at each level.
-- Reports read the rollups, and these rows for the partial quarters of an hour at both ends of a range.
create table player_settlements (
  written_by xid8 not null default pg_current_xact_id(), -- the transaction that wrote it (0012-seals.sql)
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

-- Commissions are rounded cumulatively: a part below a hundredth is carried to the earner's next settlement (`remainder` of the wallet).
-- How a settlement, or a piece of one, changed the remainder of each account with a rate above 0.
create table settled_remainders (
  written_by xid8 not null default pg_current_xact_id(), -- the transaction that wrote it (0012-seals.sql)
  paid_at timestamptz, -- with which piece; null: when its draw was settled
  draw_id uuid not null,
  account_id uuid not null,
  network_id integer not null,
  nth integer not null, -- `carried` of the wallet after it: counts from 1 without a gap
  before smallint not null check (before between 0 and 9999),
  after smallint not null check (after between 0 and 9999),
  primary key (network_id, draw_id, account_id, nth)
);

-- Sums of settlements for the player and each ancestor, per quarter of an hour and per day of the server's time zone.
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

-- The difference between a player's wins and claims of a day, by day of the time zone. Only draws with manual claims have rows: other wins
-- are claimed when won.
create table claim_sums (
  starts_at timestamptz not null,
  held bigint not null default 0, -- won, and left to be claimed
  claimed bigint not null default 0, -- claimed, on whatever day it was won
  account_id uuid not null,
  network_id integer not null,
  primary key (network_id, account_id, starts_at)
) with (fillfactor = 70);

-- Results and expectation of generated draws with bets, by day of the time zone. Moments are in millionths: of a hundredth of a point, and
-- of a square hundredth (packages/rules/src/moments.ts).
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
