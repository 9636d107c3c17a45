create table draws (
  network_id uuid not null,
  id uuid not null,
  game_id uuid not null,
  number bigint not null, -- counts intervals of Unix time
  opens_at timestamptz not null,
  closes_at timestamptz not null,
  draws_at timestamptz not null,
  status text not null check (status in ('open', 'closed', 'drawn', 'settled', 'void')),
  commitment bytea not null, -- SHA-256 of the seed, published at once
  sealed_seed bytea not null, -- encrypted with SEED_KEY
  seed bytea, -- published once settled
  rules_version integer not null,
  weights jsonb not null, -- of the boosters 1, 2, …; they sum to 10^9
  ticket_digest bytea, -- published when betting closes
  ticket_count integer,
  saved_result jsonb,
  saved_booster integer,
  saved_by uuid,
  saved_at timestamptz,
  confirmed_by uuid,
  result jsonb,
  result_label text,
  booster integer,
  source text check (source in ('declared', 'generated')),
  finished_at timestamptz, -- settled or voided
  primary key (network_id, id),
  unique (network_id, game_id, number)
);
create index draws_id on draws (id);
create index draws_due on draws (draws_at) where status in ('open', 'closed', 'drawn');
