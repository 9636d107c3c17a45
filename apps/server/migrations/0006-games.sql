-- Pictures that games are given, as WebP. Each is kept once, however many games show it.
create table images (
  hash bytea primary key check (octet_length(hash) = 32), -- SHA-256 of the content
  content bytea not null
);
-- It is compressed by itself. (PostgreSQL 15 does not take this with the column.)
alter table images alter column content set storage external;

-- The catalogue, which all networks share. A game that is deleted keeps its row, so that its key stays taken and statements can name it.
create table games (
  unit_price bigint not null check (unit_price > 0),
  deleted_at timestamptz,
  id uuid primary key,
  digits integer not null check (digits >= 1), -- the number of outcomes
  release_date date not null,
  labelled boolean not null,
  manual_claims boolean not null default false, -- whether wins wait until the player claims them
  game_key text not null unique, -- what panels, tickets and reports outside call its gameId
  name text not null,
  family text not null,
  status text not null check (status in ('active', 'inactive', 'coming-soon')),
  result_mode text not null check (result_mode in ('open', 'two-person', 'generated')),
  description text not null,
  publisher text not null,
  logo bytea references images (hash),
  image bytea references images (hash),
  pays jsonb -- of each head, in hundredths per unit, by its name; null: what its family pays by default
);

-- The images of a game's outcomes: one for each where the game is labelled, else none.
create table game_images (
  game_id uuid not null references games (id),
  position integer not null check (position >= 0), -- of the outcome, in the order of the game's outcomes
  hash bytea not null references images (hash),
  primary key (game_id, position)
);
create index game_images_hash on game_images (hash);

-- The intervals that games can have.
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

-- The games that a network has.
create table network_games (
  assigned_at timestamptz not null,
  -- The most that may be staked; null: no limit.
  per_number bigint check (per_number > 0), -- on one bet of one draw, by all players together
  per_ticket bigint check (per_ticket > 0),
  per_player bigint check (per_player > 0), -- by one player on one draw
  game_id uuid not null,
  network_id integer not null,
  win_percentage integer check (win_percentage >= 0), -- null: the booster is always 1
  beacons text[] not null default '{}', -- public keys of the beacons that its draws use
  primary key (network_id, game_id)
);
