-- What a draw was opened with, stored once for all draws that share it: whatever becomes of its game, a draw keeps its terms. The id follows
-- from the rest (packages/rules/src/terms.ts), so that no row can be changed under its id, and a draw that opens needs no look-up.
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

-- A draw is written for every game of every network at each interval, most without a ticket: what it takes on disk counts. So its states are
-- four bytes each, the seed takes the place of the sealed one once it is public, results, which are read whole, are text, and what follows
-- from the rest is not stored: its number follows from its times.
create type draw_status as enum ('open', 'closed', 'drawn', 'settling', 'settled', 'void');
create type result_source as enum ('declared', 'generated');
-- Why a draw is void, which is published: somebody voided it, its seed could not be read, its wins came to more than the books
-- can hold, it was open in a backup that was restored, a beacon's value did not come in time, or the ticket root was not there before that value.
create type void_cause as enum ('operator', 'seed', 'wins', 'restore', 'beacon', 'root');

create table draws (
  written_by xid8 not null default pg_current_xact_id(), -- the transaction that wrote it (0020-seals.sql)
  opens_at timestamptz not null,
  closes_at timestamptz not null, -- by the schedule
  draws_at timestamptz not null,
  closed_at timestamptz, -- when betting closed, under the draw's lock: every ticket was placed before it
  saved_at timestamptz,
  finished_at timestamptz, -- settled or voided
  awaits_until timestamptz, -- until when values of its beacons are waited for; null without a beacon, and once all are there
  id uuid not null,
  game_id uuid not null,
  terms_id uuid not null references draw_terms (id),
  saved_by uuid,
  confirmed_by uuid,
  network_id integer not null,
  ticket_count integer,
  status draw_status not null,
  source result_source,
  void_cause void_cause,
  booster smallint,
  saved_booster smallint,
  tickets_cleared boolean not null default false, -- it had tickets, and they are gone (0012-clearing.sql)
  commitment bytea not null, -- SHA-256 of the seed, published at once
  sealed_seed bytea, -- encrypted with SEED_KEY, until the seed is public
  seed bytea, -- published with the first that is paid
  beacon_signatures bytea[], -- the values of its beacons, in their order, each null until it is there; null without a beacon
  ticket_root bytea, -- published when betting closes (docs/fairness.md); of no tickets it is the SHA-256 of nothing, and not stored
  result json,
  result_label text,
  saved_result json,
  saved_ip inet, -- from where the result was declared, and from where confirmed
  confirmed_ip inet,
  primary key (network_id, id),
  -- A draw of a pair is known by when it opens: intervals change, and with them the numbers, which count intervals.
  constraint draws_opening unique (network_id, game_id, opens_at),
  constraint draws_result check ((status in ('drawn', 'settling', 'settled')) = (result is not null)
    and num_nulls(result, result_label, booster, source) in (0, 4)),
  constraint draws_closed check ((status = 'open') = (closed_at is null)),
  constraint draws_sealed check ((ticket_root is null) = (status = 'open' or ticket_count is not distinct from 0)),
  constraint draws_void check ((status = 'void') = (void_cause is not null)),
  -- A saved result closes betting.
  constraint draws_saved check ((saved_at is null or (status <> 'open' and saved_at >= closed_at))
    and num_nulls(saved_result, saved_booster, saved_by, saved_at) in (0, 4)),
  -- Of a void draw the seed is published where it can be unsealed.
  constraint draws_finished check ((status in ('settled', 'void')) = (finished_at is not null)
    and num_nulls(seed, sealed_seed) = 1 and (seed is null or status in ('settling', 'settled', 'void')) and (status not in ('settling', 'settled') or seed is not null))
) with (autovacuum_vacuum_scale_factor = 0.02); -- each step writes a row anew: what is dead is cleared away while it is little beside the rest

-- When each draw that is not finished has its next step; one that is being paid has it at once, though it was generated before its time.
create index draws_due on draws ((case status when 'open' then closes_at when 'settling' then opens_at else draws_at end))
  where status in ('open', 'closed', 'drawn', 'settling');
-- The draws that lack a value of their beacons.
create index draws_awaiting on draws (closes_at) where awaits_until is not null;
-- The draws of a game that have tickets, or may have: the list of a game's tickets goes from one to the next, and passes over all that had none.
create index draws_with_tickets on draws (network_id, game_id, opens_at) where ticket_count is distinct from 0 and not tickets_cleared;
-- Draws with tickets of which the rollups do not tell about when they were: void ones are in none, and late ones count long after their
-- time. There are few of either.
create index draws_untold on draws (network_id, game_id, opens_at)
  where ticket_count is distinct from 0 and not tickets_cleared and (status = 'void' or finished_at - draws_at > interval '1 hour');
