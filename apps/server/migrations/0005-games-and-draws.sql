-- Images of games, as WebP. An image is stored once, however many games show it.
create table images (
  hash bytea primary key check (octet_length(hash) = 32), -- SHA-256 of the content
  content bytea not null
);
-- WebP is compressed already. (PostgreSQL 15 does not take this with the column.)
alter table images alter column content set storage external;

-- The catalogue, shared by all networks. A deleted game keeps its row: its key stays taken, and statements can name it.
create table games (
  unit_price bigint not null check (unit_price > 0),
  deleted_at timestamptz,
  id uuid primary key,
  digits integer not null check (digits >= 1), -- the number of outcomes
  release_date date not null,
  labelled boolean not null,
  manual_claims boolean not null default false, -- whether wins wait until the player claims them
  game_key text not null unique, -- `gameId` in panels, tickets and reports
  name text not null,
  family text not null,
  status text not null check (status in ('active', 'inactive', 'coming-soon')),
  result_mode text not null check (result_mode in ('open', 'two-person', 'generated')),
  description text not null,
  publisher text not null,
  logo bytea references images (hash),
  image bytea references images (hash),
  pays jsonb -- of each head, in hundredths per unit, by its name; null: the default of the family
);

-- The images of a game's outcomes: one for each if the game is labelled, else none.
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

-- The games of a network.
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

-- What a network shows outside. Without a row, the landing page shows its winners.
create table landing_settings (
  network_id integer not null,
  winners_shown boolean not null,
  primary key (network_id)
);

-- The terms of a draw, stored once for all draws that share them: a draw keeps its terms when its game changes. The id is a hash of the
-- rest (packages/rules/src/terms.ts): no row can change under its id, and opening a draw needs no lookup.
create table draw_terms (
  unit_price bigint not null check (unit_price > 0),
  id uuid primary key,
  rules_version integer not null,
  manual_claims boolean not null, -- whether wins wait until the player claims them
  pays jsonb not null, -- of every head, in hundredths per unit
  weights jsonb not null, -- of the boosters 1, 2, …; they sum to 10^9
  result_mode text not null check (result_mode in ('open', 'two-person', 'generated')),
  beacons jsonb -- in their order: public key, time of round 1 and seconds between rounds; null: none
);

-- A draw is written for every game of every network at each interval, most without a ticket, so its size on disk counts. Statuses take
-- four bytes, the public seed replaces the sealed one, results are text, and what follows from the rest is not stored: a draw's number
-- follows from its times.
create type draw_status as enum ('open', 'closed', 'drawn', 'settling', 'settled', 'void');
create type result_source as enum ('declared', 'generated');
-- The published reason: somebody voided the draw, its seed could not be read, its wins came to more than the books can hold, it was open
-- in a backup that was restored, a beacon's value did not come in time, or the ticket root was not there before that value.
create type void_cause as enum ('operator', 'seed', 'wins', 'restore', 'beacon', 'root');

create table draws (
  written_by xid8 not null default pg_current_xact_id(), -- the transaction that wrote it (0012-seals.sql)
  opens_at timestamptz not null,
  closes_at timestamptz not null, -- by the schedule
  draws_at timestamptz not null,
  closed_at timestamptz, -- when betting closed, under the draw's lock: every ticket was placed before it
  saved_at timestamptz,
  finished_at timestamptz, -- settled or voided
  root_sealed_at timestamptz, -- when the server saw the close of a draw with beacons in the seals; it counts before the first round alone
  awaits_until timestamptz, -- the deadline for values of its beacons; null without a beacon, and once all are there
  -- What the admin's credit added to the table for a declared result, in hundredths: the sum of the transfers of kind 16 about the draw.
  -- Null: none was needed, or it went back.
  cover bigint check (cover > 0),
  id uuid not null,
  game_id uuid not null,
  terms_id uuid not null references draw_terms (id),
  saved_by uuid,
  confirmed_by uuid,
  network_id integer not null,
  ticket_count integer,
  -- How many rate changes the network had had at the opening: the draw's commission rates are those after so many. Unlike a time, the
  -- number is exact: it depends on no clock, and a change that commits after the opening has a higher one.
  rate_changes integer not null default 0,
  commission_ceiling integer not null default 0 check (commission_ceiling between 0 and 10000), -- of the network, at the opening
  status draw_status not null,
  source result_source,
  void_cause void_cause,
  booster smallint,
  saved_booster smallint,
  tickets_cleared boolean not null default false, -- it had tickets, and they are gone (0009-clearing.sql)
  commitment bytea not null, -- SHA-256 of the seed, published at once
  sealed_seed bytea, -- encrypted with SEED_KEY, until the seed is public
  seed bytea, -- published with the first piece that is paid
  beacon_signatures bytea[], -- the values of its beacons, in their order, each null until it is there; null without a beacon
  ticket_root bytea, -- published when betting closes (docs/fairness.md); without tickets it is the SHA-256 of nothing, and not stored
  result json,
  result_label text,
  saved_result json,
  saved_ip inet, -- from where the result was declared, and from where confirmed
  confirmed_ip inet,
  primary key (network_id, id),
  -- Draws of a pair differ by when they open: intervals change, and with them the numbers, which count intervals.
  constraint draws_opening unique (network_id, game_id, opens_at),
  constraint draws_result check ((status in ('drawn', 'settling', 'settled')) = (result is not null)
    and num_nulls(result, result_label, booster, source) in (0, 4)),
  constraint draws_closed check ((status = 'open') = (closed_at is null)),
  constraint draws_sealed check ((ticket_root is null) = (status = 'open' or ticket_count is not distinct from 0)),
  constraint draws_void check ((status = 'void') = (void_cause is not null)),
  -- A saved result closes betting.
  constraint draws_saved check ((saved_at is null or (status <> 'open' and saved_at >= closed_at))
    and num_nulls(saved_result, saved_booster, saved_by, saved_at) in (0, 4)),
  -- The seed of a void draw is published if it can be unsealed.
  constraint draws_finished check ((status in ('settled', 'void')) = (finished_at is not null)
    and num_nulls(seed, sealed_seed) = 1 and (seed is null or status in ('settling', 'settled', 'void')) and (status not in ('settling', 'settled') or seed is not null))
) with (autovacuum_vacuum_scale_factor = 0.02); -- each step writes a row anew: dead rows are vacuumed while they are few

-- When each unfinished draw has its next step. A draw that is being paid has it at once.
create index draws_due on draws ((case status when 'open' then closes_at when 'settling' then opens_at else draws_at end))
  where status in ('open', 'closed', 'drawn', 'settling');
create index draws_awaiting on draws (closes_at) where awaits_until is not null;
-- Draws of a game that have tickets, or may have: the list of a game's tickets skips all others.
create index draws_with_tickets on draws (network_id, game_id, opens_at) where ticket_count is distinct from 0 and not tickets_cleared;
-- Draws with tickets that the rollups of their own time lack: void ones are in none, and late ones count long after their time. Both are few.
create index draws_untold on draws (network_id, game_id, opens_at)
  where ticket_count is distinct from 0 and not tickets_cleared and (status = 'void' or finished_at - draws_at > interval '1 hour');
-- Draws of a game that its table may still have to pay: every bet reads them.
create index draws_on_table on draws (network_id, game_id)
  where status in ('open', 'closed', 'drawn', 'settling') and ticket_count is distinct from 0;
