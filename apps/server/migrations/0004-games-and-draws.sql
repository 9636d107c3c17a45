create table games (
  unit_price bigint not null check (unit_price > 0), -- hundredths of a point
  id uuid primary key,
  digits integer not null check (digits >= 1), -- the number of outcomes
  release_date date not null,
  labelled boolean not null,
  game_key text not null unique, -- what panels, tickets and reports outside call its gameId
  name text not null,
  family text not null,
  status text not null check (status in ('active', 'inactive', 'coming-soon')),
  result_mode text not null check (result_mode in ('open', 'two-person', 'generated')),
  description text not null,
  publisher text not null,
  logo text,
  image text
);

create table times (
  id uuid primary key,
  seconds integer not null unique check (seconds between 1 and 86400)
);

-- The first time (position 1) is the game's draw interval.
create table game_times (
  game_id uuid not null references games (id),
  time_id uuid not null references times (id),
  position integer not null,
  primary key (game_id, position)
);

create table network_games (
  assigned_at timestamptz not null,
  game_id uuid not null,
  network_id integer not null,
  win_percentage integer check (win_percentage >= 0), -- hundredths of a percent; none: the booster is always 1
  primary key (network_id, game_id)
);

create table draws (
  number bigint not null, -- counts intervals of Unix time
  opens_at timestamptz not null,
  closes_at timestamptz not null, -- by the schedule
  draws_at timestamptz not null,
  closed_at timestamptz, -- when betting closed, under the draw's lock: every ticket was placed before it
  saved_at timestamptz,
  finished_at timestamptz, -- settled or voided
  id uuid not null,
  game_id uuid not null,
  saved_by uuid,
  confirmed_by uuid,
  network_id integer not null,
  rules_version integer not null,
  ticket_count integer,
  saved_booster integer,
  booster integer,
  status text not null check (status in ('open', 'closed', 'drawn', 'settled', 'void')),
  source text check (source in ('declared', 'generated')),
  commitment bytea not null, -- SHA-256 of the seed, published at once
  sealed_seed bytea not null, -- encrypted with SEED_KEY
  seed bytea, -- published once settled
  ticket_digest bytea, -- published when betting closes
  weights jsonb not null, -- of the boosters 1, 2, …; they sum to 10^9
  saved_result jsonb,
  result jsonb,
  result_label text,
  primary key (network_id, id),
  unique (network_id, game_id, number),
  constraint draws_result check ((status in ('drawn', 'settled')) = (result is not null)
    and num_nulls(result, result_label, booster, source) in (0, 4)),
  constraint draws_closed check ((status = 'open') = (closed_at is null)),
  constraint draws_sealed check ((status = 'open') = (ticket_digest is null)),
  -- A saved result closes betting.
  constraint draws_saved check ((saved_at is null or (status <> 'open' and saved_at >= closed_at))
    and num_nulls(saved_result, saved_booster, saved_by, saved_at) in (0, 4)),
  constraint draws_finished check ((status in ('settled', 'void')) = (finished_at is not null)
    and (finished_at is null) = (seed is null))
);
create index draws_id on draws (id);
create index draws_due on draws (draws_at) where status in ('open', 'closed', 'drawn');
