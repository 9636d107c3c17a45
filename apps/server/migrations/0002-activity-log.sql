-- Append-only, chained by hash within a network: `audit` finds a changed or missing row.
create table activity (
  seq bigint not null,
  at timestamptz not null,
  id uuid not null,
  account_id uuid,
  network_id integer not null,
  hash bytea not null,
  username text not null,
  subject text not null,
  url text not null,
  method text not null,
  ip text not null,
  detail jsonb,
  primary key (network_id, seq)
);
create index activity_account on activity (account_id, id desc);

-- The last row of each network's log: the next one is neither before its time nor below its id, whichever server writes it.
create table activity_heads (
  seq bigint not null,
  last_at timestamptz,
  last_id uuid,
  network_id integer primary key,
  hash bytea not null
);

-- What may not change once it was used: the key that seals seeds (its fingerprint), and the time zone of the rollups' days.
create table pinned_settings (
  name text primary key,
  value text not null
);
