-- Append-only, chained by hash within a network: `audit` finds a changed or missing row.
create table activity (
  network_id uuid not null,
  seq bigint not null,
  id uuid not null,
  at timestamptz not null,
  account_id uuid,
  username text not null,
  subject text not null,
  url text not null,
  method text not null,
  ip text not null,
  detail jsonb,
  hash bytea not null,
  primary key (network_id, seq)
);
create index activity_account on activity (account_id, id desc);

create table activity_heads (
  network_id uuid primary key,
  seq bigint not null,
  hash bytea not null
);
