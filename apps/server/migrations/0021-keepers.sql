-- Others who keep a part of the seed of each draw (docs/fairness.md). A draw that the server keeps alone has no row in any of these tables.

alter type void_cause add value 'keeper'; -- a keeper has not released its seed in time
alter type void_cause add value 'beacon'; -- a round of drand has not come in time

-- Who they are is of the terms of a draw: it is fixed when it opens, and its rules hash covers it.
alter table draw_terms add column kept jsonb;

-- The days of keepers as this installation has seen them, with how far their places are handed out: each to one draw of one network.
create table keeper_days (
  seen_at timestamptz not null,
  day date not null, -- of UTC
  size integer not null check (size > 0),
  next_index integer not null default 0 check (next_index between 0 and size),
  keeper bytea not null check (octet_length(keeper) = 32), -- its public key
  root bytea not null check (octet_length(root) = 32), -- of the tree over all commitments of the day
  signature bytea not null check (octet_length(signature) = 64), -- of the keeper, over name, day, size and root
  part_roots bytea not null, -- of parts of the tree, 64 leaves each
  name text not null,
  other jsonb, -- what the keeper has signed of this day later, where it is another root: name, size, root, signature and seenAt
  known jsonb, -- a release of this day that the keeper has signed: one that does not know it any more is an older copy of itself
  primary key (keeper, day)
);

-- Of these the days that draws of a network take places of: what anybody checks them by.
create table keeper_roots (
  day date not null,
  size integer not null check (size > 0),
  network_id integer not null default nullif(current_setting('drawhouse.network', true), '')::int,
  keeper bytea not null check (octet_length(keeper) = 32),
  root bytea not null check (octet_length(root) = 32),
  signature bytea not null check (octet_length(signature) = 64),
  name text not null,
  primary key (network_id, keeper, day)
);

-- What each keeper has of a draw's seed.
create table draw_keepers (
  closes_at timestamptz not null, -- when betting on the draw closes
  asked_at timestamptz, -- when the keeper was asked last for the seed; null: never
  answered_at timestamptz,
  released_at timestamptz, -- when the keeper released the seed, by its own clock: a part of what it has signed
  draw_id uuid not null,
  day date not null,
  index integer not null check (index >= 0), -- which seed of the day
  network_id integer not null default nullif(current_setting('drawhouse.network', true), '')::int,
  place smallint not null check (place >= 0), -- among the keepers of the draw
  waits boolean not null default true, -- whether its seed is still to be asked for
  keeper bytea not null,
  commitment bytea not null check (octet_length(commitment) = 32), -- SHA-256 of the seed, published at once
  path bytea not null, -- from there to the root of the day
  seed bytea check (sha256(seed) = commitment),
  signature bytea check (octet_length(signature) = 64), -- of the keeper, over the draw, its close, its tickets and released_at
  primary key (network_id, draw_id, place),
  constraint draw_keepers_answer check (num_nulls(seed, signature, answered_at, released_at) in (0, 4) and (seed is null or (asked_at is not null and not waits and released_at >= closes_at)))
);
create index draw_keepers_waiting on draw_keepers (closes_at) where waits;

-- The round of drand that is a part of a draw's seed.
create table draw_beacons (
  closes_at timestamptz not null,
  round bigint not null check (round > 0),
  draw_id uuid not null,
  network_id integer not null default nullif(current_setting('drawhouse.network', true), '')::int,
  waits boolean not null default true,
  signature bytea, -- of the chain; its SHA-256 is the randomness
  primary key (network_id, draw_id),
  constraint draw_beacons_answer check (signature is null or not waits)
);
create index draw_beacons_waiting on draw_beacons (closes_at) where waits;

-- The first wrong answer of each keeper for a draw, as it came; that of drand has the place -1.
create table keeper_evidence (
  at timestamptz not null,
  draw_id uuid not null,
  network_id integer not null default nullif(current_setting('drawhouse.network', true), '')::int,
  place smallint not null,
  reason text not null,
  question jsonb not null,
  answer text not null,
  primary key (network_id, draw_id, place)
);

-- Draws that are void though all parts of their seeds were known, or came to be: what they would have come to.
create table knowable_draws (
  noted_at timestamptz not null,
  pays bigint, -- what would have been won, in hundredths; null: more than the books can hold
  draw_id uuid not null,
  network_id integer not null default nullif(current_setting('drawhouse.network', true), '')::int,
  booster smallint not null,
  result json not null,
  result_label text not null,
  primary key (network_id, draw_id)
);

call keep_written('keeper_days', 'size, root, signature, name, other');
call keep_written('keeper_roots', '*');
call keep_written('draw_keepers', 'keeper, day, index, closes_at, commitment, path, seed, signature, released_at, answered_at');
call keep_written('draw_beacons', 'round, closes_at, signature');
call keep_written('keeper_evidence', '');
call keep_written('knowable_draws', '');

call audited.make_views();
