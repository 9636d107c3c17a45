-- How players are protected: limits on what they stake, lose and how long they are signed in, breaks and exclusions. What happened is a record, in the order of
-- its numbers; `protections` has what follows from it for a bet. Most players have no row. The wallet that a bet locks has how many changes there were: a server that knows what
-- follows from so many does not read it again.
create table protection_changes (
  at timestamptz not null, -- when it was asked for
  holds_from timestamptz not null, -- of what was asked for: when it can be confirmed at the earliest
  until timestamptz, -- of a break or an exclusion
  before bigint, -- of a limit: what held before on this side, in hundredths or minutes; null: none
  after bigint,
  id uuid not null, -- by which the log names it
  account_id uuid not null,
  by_account uuid not null,
  network_id integer not null default nullif(current_setting('drawhouse.network', true), '')::int,
  nth integer not null check (nth > 0), -- of its player
  is_kept boolean not null default false, -- by a restore, whose log is from before it
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
  network_id integer not null default nullif(current_setting('drawhouse.network', true), '')::int,
  changes integer not null, -- how many it follows from
  primary key (network_id, account_id)
);

call audited.make_views();
