-- WebP, stored once each.
create table images (
  hash bytea primary key check (octet_length(hash) = 32), -- SHA-256 of content
  content bytea not null
);
-- WebP is already compressed. (PostgreSQL 15 rejects this in the column definition.)
alter table images alter column content set storage external;

-- Draws at clock times (packages/rules/src/time/clock-slots.ts). All networks share the schedules.
create table schedules (
  id uuid primary key,
  name text not null,
  plan jsonb not null -- clock times, weekdays, single days, opening and close of betting
);

-- Shared by all networks. Deleted games keep their row, so keys stay taken and statements can name them.
create table games (
  unit_price bigint not null check (unit_price > 0),
  deleted_at timestamptz,
  id uuid primary key,
  schedule_id uuid references schedules (id), -- null: draws by the interval
  digits integer not null check (digits >= 1), -- number of outcomes
  release_date date not null,
  labelled boolean not null,
  manual_claims boolean not null default false, -- wins wait for the player's claim
  game_key text not null unique, -- `gameId` in panels, tickets and reports
  name text not null,
  family text not null,
  status text not null check (status in ('active', 'inactive', 'coming-soon')),
  result_mode text not null check (result_mode in ('open', 'two-person', 'generated')),
  description text not null,
  publisher text not null,
  logo bytea references images (hash),
  image bytea references images (hash),
  pays jsonb -- by head, hundredths per unit; null: family default
);
create index games_schedule on games (schedule_id) where schedule_id is not null;

-- One per outcome of a labelled game.
create table game_images (
  game_id uuid not null references games (id),
  position integer not null check (position >= 0), -- outcome index
  hash bytea not null references images (hash),
  primary key (game_id, position)
);
create index game_images_hash on game_images (hash);

create table times (
  id uuid primary key,
  seconds integer not null unique check (seconds between 1 and 86400)
);

-- Position 1 is the draw interval.
create table game_times (
  game_id uuid not null references games (id),
  time_id uuid not null references times (id),
  position integer not null,
  primary key (game_id, position)
);

create table network_games (
  assigned_at timestamptz not null,
  -- Stake limits; null: unlimited.
  per_number bigint check (per_number > 0), -- per bet and draw, all players
  per_ticket bigint check (per_ticket > 0),
  per_player bigint check (per_player > 0), -- per player and draw
  game_id uuid not null,
  network_id integer not null,
  win_percentage integer check (win_percentage >= 0), -- null: booster always 1
  beacons text[] not null default '{}', -- public keys of its draws' beacons
  closures jsonb, -- days and hours without draws
  primary key (network_id, game_id)
);

-- Without a row the landing page shows winners and there is no wall.
create table landing_settings (
  wall_made_at timestamptz,
  network_id integer not null,
  winners_shown boolean not null default true,
  wall_key_hash bytea, -- SHA-256; null: no public wall
  primary key (network_id)
);

-- Name and looks of the installation: one row. Without it: defaults.
create table house_settings (
  id integer primary key check (id = 1),
  logo_width integer check (logo_width > 0), -- pixels
  logo_height integer check (logo_height > 0),
  name text not null,
  help_line text not null,
  age_notice text not null,
  terms text not null,
  color text check (color ~ '^#[0-9a-f]{6}$'), -- null: the product's
  gambling_help jsonb, -- list of country, name, contact; null: the default list
  logo bytea references images (hash)
);
create index house_settings_logo on house_settings (logo);

-- In hundredths. Null: no notice. Without a row: notices about tables below zero.
create table alert_thresholds (
  table_below bigint,
  worst_above bigint,
  network_id integer not null,
  primary key (network_id)
);

-- Independent of later game changes. The id is a content hash (packages/rules/src/fair/draw-terms.ts), so terms cannot
-- change and openings need no lookup.
create table draw_terms (
  unit_price bigint not null check (unit_price > 0),
  id uuid primary key,
  rules_version integer not null,
  manual_claims boolean not null, -- wins wait for the player's claim
  pays jsonb not null, -- by head, hundredths per unit
  weights jsonb not null, -- for boosters 1, 2, …; sum 10^9
  result_mode text not null check (result_mode in ('open', 'two-person', 'generated', 'outside')),
  beacons jsonb -- in order: public key, time of round 1, seconds per round; null: none
);

-- Every game of every network has a draw per interval, mostly without tickets, so row size matters. Statuses take four
-- bytes, the published seed replaces the sealed one, results are text, and derived values such as the draw number are
-- not stored.
create type draw_status as enum ('open', 'closed', 'drawn', 'settling', 'settled', 'void');
create type result_source as enum ('declared', 'generated');
-- operator: by hand; seed: unreadable; wins: beyond the ledger's range; restore: open in the restored backup; beacon:
-- value late; root: not sealed before that value; outside: no result was entered before its deadline.
create type void_cause as enum ('operator', 'seed', 'wins', 'restore', 'beacon', 'root', 'outside');

create table draws (
  written_by xid8 not null default pg_current_xact_id(), -- see 0020-seals.sql
  opens_at timestamptz not null,
  -- Bets begin then if a player bought a ticket ahead; null: at `opens_at`, which stays that of the schedule, so draws of
  -- a game still follow each other.
  bets_from timestamptz check (bets_from < opens_at),
  closes_at timestamptz not null, -- scheduled
  draws_at timestamptz not null,
  closed_at timestamptz, -- set under the draw's lock: later than every ticket
  saved_at timestamptz,
  finished_at timestamptz, -- settled or voided
  root_sealed_at timestamptz, -- seen in the seals; counts only before the first beacon round
  awaits_until timestamptz, -- beacon deadline; null without beacons or once complete. Of outside results: their deadline
  -- Admin credit added to the table for a declared result: sum of transfers of kind 16. Null: none, or returned.
  cover bigint check (cover > 0),
  -- Date and clock time of a scheduled draw, as 202601311300; null: drawn by interval. Fixed at opening, so the name
  -- outlives changes of the time-zone database.
  clock_number bigint check (clock_number > 100000000000),
  id uuid not null,
  game_id uuid not null,
  terms_id uuid not null references draw_terms (id),
  saved_by uuid,
  confirmed_by uuid,
  network_id integer not null,
  ticket_count integer,
  -- Rate changes before the opening, which select its commission rates. Exact, unlike a time: independent of clocks and
  -- ordered by commit.
  rate_changes integer not null default 0,
  commission_ceiling integer not null default 0 check (commission_ceiling between 0 and 10000), -- the network's, at opening
  status draw_status not null,
  source result_source,
  void_cause void_cause,
  booster smallint,
  saved_booster smallint,
  tickets_cleared boolean not null default false, -- had tickets, since cleared (0016-clearing.sql)
  commitment bytea not null, -- SHA-256 of the seed, published at opening
  sealed_seed bytea, -- encrypted with SEED_KEY until published
  seed bytea, -- published with the first payment
  beacon_signatures bytea[], -- in beacon order, null until received; null without beacons
  ticket_root bytea, -- published at close (docs/fairness.md); not stored for the empty tree
  result json,
  result_label text,
  saved_result json,
  outside text, -- public lottery that decides it, as `National 19:00`, fixed at opening; null: the house draws
  saved_ip inet, -- addresses of declaration and confirmation
  confirmed_ip inet,
  primary key (network_id, id),
  -- By time rather than number: changed intervals renumber draws.
  constraint draws_opening unique (network_id, game_id, opens_at),
  constraint draws_result check ((status in ('drawn', 'settling', 'settled')) = (result is not null)
    and num_nulls(result, result_label, booster, source) in (0, 4)),
  constraint draws_closed check ((status = 'open') = (closed_at is null)),
  constraint draws_sealed check ((ticket_root is null) = (status = 'open' or ticket_count is not distinct from 0)),
  constraint draws_void check ((status = 'void') = (void_cause is not null)),
  -- A saved result closes betting.
  constraint draws_saved check ((saved_at is null or (status <> 'open' and saved_at >= closed_at))
    and num_nulls(saved_result, saved_booster, saved_by, saved_at) in (0, 4)),
  -- A void draw publishes its seed if readable.
  constraint draws_finished check ((status in ('settled', 'void')) = (finished_at is not null)
    and num_nulls(seed, sealed_seed) = 1 and (seed is null or status in ('settling', 'settled', 'void'))
      and (status not in ('settling', 'settled') or seed is not null))
) with (autovacuum_vacuum_scale_factor = 0.02); -- each step rewrites the row: vacuum early

-- Next step of unfinished draws. Settling draws are due immediately.
create index draws_due on draws ((case status when 'open' then closes_at when 'settling' then opens_at else draws_at end))
  where status in ('open', 'closed', 'drawn', 'settling');
create index draws_awaiting on draws (closes_at) where awaits_until is not null;
-- Ticket lists skip draws without tickets.
create index draws_with_tickets on draws (network_id, game_id, opens_at) where ticket_count is distinct from 0 and not tickets_cleared;
-- Missing from rollups of their own time: void or settled late. Rare.
create index draws_untold on draws (network_id, game_id, opens_at)
  where ticket_count is distinct from 0 and not tickets_cleared and (status = 'void' or finished_at - draws_at > interval '1 hour');
-- Draws the table may still have to pay, read by every bet.
create index draws_on_table on draws (network_id, game_id)
  where status in ('open', 'closed', 'drawn', 'settling') and ticket_count is distinct from 0;
create index draws_by_clock on draws (network_id, clock_number) where clock_number is not null;
create index draws_ahead on draws (network_id, game_id, opens_at) where bets_from is not null;
-- Lists of bets look for these draws apart (tickets/read/played-draws.sql.ts).
create index draws_far on draws (network_id, game_id, draws_at)
  where bets_from is not null and draws_at - bets_from > interval '24 hours';
create index draws_outside on draws (network_id, game_id, draws_at) where outside is not null and status = 'closed';
-- Draws whose outside result may still be corrected.
create index draws_outside_settled on draws (network_id, game_id, finished_at) where outside is not null and status = 'settled';
