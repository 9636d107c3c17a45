-- Tickets are a record: added to, never changed. What a ticket won, and when it was claimed, are records of their own. The game and the
-- price are those of the draw, the number that people read follows from the id.
create table tickets (
  written_by xid8 not null default pg_current_xact_id(), -- the transaction that wrote it (0020-seals.sql)
  stake bigint not null check (stake > 0),
  placed_at timestamptz not null,
  id uuid not null,
  draw_id uuid not null,
  account_id uuid not null,
  request uuid not null, -- of the account and the request id, after the time of that where it has one: a request makes one ticket, for ever
  request_hash uuid not null, -- the first half of the SHA-256 of what was asked for
  network_id integer not null,
  api_key smallint not null default 0, -- the number of the key by which a program laid it; 0: its player did
  digest bytea not null,
  ip inet, -- from where it was laid
  lines text not null, -- `key*quantity`, joined by spaces, key as in the rules of the game
  primary key (network_id, id),
  constraint tickets_request unique (network_id, request)
);
-- The tickets of a draw lie together in time, and so do these keys. A key by account over all draws would lie anywhere, and cost each bet a page of
-- the log: what a player laid is found by the draws that it had a part in, of which the rollups tell (0009-settlements-and-sums.sql).
create index tickets_draw on tickets (network_id, draw_id, account_id);

create table ticket_wins (
  written_by xid8 not null default pg_current_xact_id(), -- the transaction that wrote it (0020-seals.sql)
  win bigint not null check (win > 0), -- a settled ticket without a row has won nothing
  paid_at timestamptz, -- with which piece of its draw's settlement; null: when its draw was settled
  ticket_id uuid not null,
  draw_id uuid not null,
  network_id integer not null,
  primary key (network_id, draw_id, ticket_id)
);

-- The wins of draws with manual claims that were claimed. All others were paid when their draw was settled.
create table ticket_claims (
  claimed_at timestamptz not null,
  ticket_id uuid not null,
  network_id integer not null,
  primary key (network_id, ticket_id)
);

-- What is staked on each bet of a draw: the sums of the live panel.
create table exposures (
  stake bigint not null,
  draw_id uuid not null,
  network_id integer not null,
  bet_key text not null,
  primary key (network_id, draw_id, bet_key)
) with (fillfactor = 50); -- bets write them anew, as they do wallets
