-- Numbered history; `protections` has the current state. The wallet locked by a bet counts changes, so servers can
-- cache the state per count.
create table protection_changes (
  at timestamptz not null, -- request time
  holds_from timestamptz not null, -- requests: earliest confirmation
  until timestamptz, -- end of break or exclusion
  before bigint, -- limits: previous value in hundredths or minutes; null: none
  after bigint,
  id uuid not null, -- log reference
  account_id uuid not null,
  by_account uuid not null,
  network_id integer not null,
  nth integer not null check (nth > 0), -- per player
  is_kept boolean not null default false, -- kept by a restore; the log predates it
  what text not null,
  side text not null check (side in ('player', 'manager')),
  step text not null check (step in ('set', 'asked', 'confirmed', 'withdrawn')),
  length text, -- break or exclusion
  reason text not null,
  primary key (network_id, account_id, nth),
  check ((what in ('break', 'exclusion')) = (until is not null) and (until is null) = (length is null))
);

-- A player's saved bets, as text of `packages/rules/src/bet-text`.
create table favorites (
  saved_at timestamptz not null,
  id uuid not null,
  account_id uuid not null,
  network_id integer not null,
  game_key text not null,
  name text not null,
  bets text not null,
  primary key (network_id, account_id, game_key, name),
  unique (network_id, id)
);

create table protections (
  stake_per_draw bigint, -- the lower of both sides, hundredths; null: none
  stake_per_day bigint,
  stake_per_week bigint,
  stake_per_month bigint,
  loss_per_day bigint,
  loss_per_week bigint,
  loss_per_month bigint,
  minutes_per_day bigint,
  break_until timestamptz,
  excluded_until timestamptz,
  account_id uuid not null,
  network_id integer not null,
  changes integer not null, -- number of changes included
  primary key (network_id, account_id)
);
