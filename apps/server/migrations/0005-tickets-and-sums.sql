create table tickets (
  unit_price bigint not null,
  stake bigint not null check (stake > 0),
  win bigint, -- null until the draw is settled
  placed_at timestamptz not null,
  id uuid not null,
  draw_id uuid not null,
  game_id uuid not null,
  account_id uuid not null,
  network_id integer not null,
  digest bytea not null,
  request_hash bytea not null,
  ticket_no text not null,
  request_id text not null,
  lines jsonb not null, -- [{key, drawno, head?, series?, subseries?, qty}], key as in the rules of the game
  primary key (network_id, id),
  unique (network_id, account_id, request_id)
);
create index tickets_draw on tickets (network_id, draw_id, id);
create index tickets_account on tickets (network_id, account_id, id desc);

-- What is staked on each bet of a running draw: the sums of the live panel.
create table exposures (
  stake bigint not null,
  draw_id uuid not null,
  network_id integer not null,
  bet_key text not null,
  primary key (network_id, draw_id, bet_key)
) with (fillfactor = 50);

-- What one draw came to for one player, written once when it is settled. The commissions are those that the player's stake
-- earned at each level. Reports read the rollups below; for the odd ends of a range they read these rows.
create table player_settlements (
  settled_at timestamptz not null,
  stake bigint not null,
  win bigint not null,
  super_commission bigint not null,
  dist_commission bigint not null,
  retail_commission bigint not null,
  user_commission bigint not null,
  -- How far the network's log and the root's had come when the percentages were read. A change of a percentage and its row of the log
  -- are committed together, so the changes up to these rows are exactly those that the settlement knew.
  log_seq bigint not null,
  root_log_seq bigint not null,
  draw_id uuid not null,
  account_id uuid not null,
  game_id uuid not null,
  network_id integer not null,
  primary key (network_id, draw_id, account_id)
);
create index player_settlements_time on player_settlements (network_id, settled_at);

-- The same, summed for the player and each ancestor, per quarter of an hour and per day of the network's time zone.
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
) with (fillfactor = 70);
