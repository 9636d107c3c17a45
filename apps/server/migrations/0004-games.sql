create table games (
  id uuid primary key,
  game_id text not null unique, -- the key that panels, tickets and reports use
  name text not null,
  family text not null,
  digits integer not null check (digits >= 1), -- the number of outcomes
  logo text,
  image text,
  description text not null,
  publisher text not null,
  release_date date not null,
  status text not null check (status in ('active', 'inactive', 'coming-soon')),
  labelled boolean not null,
  unit_price bigint not null check (unit_price > 0), -- hundredths of a point
  result_mode text not null check (result_mode in ('open', 'two-person', 'generated'))
);

create table times (
  id uuid primary key,
  seconds integer not null unique check (seconds between 1 and 86400)
);

-- The first time (position 1) is the game's draw interval.
create table game_times (
  game_id uuid not null references games (id),
  position integer not null,
  time_id uuid not null references times (id),
  primary key (game_id, position)
);

create table network_games (
  network_id uuid not null,
  game_id uuid not null,
  win_percentage integer check (win_percentage >= 0), -- hundredths of a percent; none: the booster is always 1
  assigned_at timestamptz not null,
  primary key (network_id, game_id)
);
