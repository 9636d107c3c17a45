-- Protection of players: limits on stakes, losses and time signed in, breaks and exclusions. Changes are a record, in the order of their
-- numbers; `protections` sums them up for bets. Most players have no row. The wallet that a bet locks counts the changes: a server that
-- knows the state after so many does not read it again.
create table protection_changes (
  at timestamptz not null, -- when it was requested
  holds_from timestamptz not null, -- of a request: the earliest time to confirm it
  until timestamptz, -- of a break or an exclusion
  before bigint, -- of a limit: the value before on this side, in hundredths or minutes; null: none
  after bigint,
  id uuid not null, -- names it in the log
  account_id uuid not null,
  by_account uuid not null,
  network_id integer not null,
  nth integer not null check (nth > 0), -- of its player
  is_kept boolean not null default false, -- kept by a restore, whose log is from before it
  what text not null,
  side text not null check (side in ('player', 'manager')),
  step text not null check (step in ('set', 'asked', 'confirmed', 'withdrawn')),
  length text, -- of a break or an exclusion
  reason text not null,
  primary key (network_id, account_id, nth),
  check ((what in ('break', 'exclusion')) = (until is not null) and (until is null) = (length is null))
);

create table protections (
  stake_per_draw bigint, -- the lower one of both sides, in hundredths; null: none
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
  changes integer not null, -- how many changes it sums up
  primary key (network_id, account_id)
);
