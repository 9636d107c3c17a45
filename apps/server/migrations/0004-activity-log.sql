-- Append-only, chained by hash within a network: `audit` finds a changed or missing row. Each row keeps whose it is: the ids from the
-- superadmin down to whoever did it, as they stood then. So it is found by key for each of them, newest first, however many rows there are.
-- Of what nobody did they end at the admin of the network, of the root at the first superadmin. The hash of a row does not cover them: they
-- follow from the account, by which the audit judges them.
create table activity (
  written_by xid8 not null default pg_current_xact_id(), -- the transaction that wrote it (0020-seals.sql)
  seq bigint not null,
  at timestamptz not null,
  id uuid not null,
  account_id uuid,
  -- For indexes, which then know how many rows there are without the rows. What is below an admin is its network's.
  superadmin_id uuid generated always as (chain[1]) stored,
  superdistributor_id uuid generated always as (chain[3]) stored,
  distributor_id uuid generated always as (chain[4]) stored,
  retailer_id uuid generated always as (chain[5]) stored,
  network_id integer not null,
  hash bytea not null,
  chain uuid[] not null,
  username text not null,
  subject text not null,
  url text not null,
  method text not null,
  ip text not null,
  detail jsonb,
  primary key (network_id, seq)
);

-- What an account did, and what it and everyone below it did: one index for each level.
create index activity_account on activity (account_id, id) include (network_id) where account_id is not null;
create index activity_superadmin on activity (superadmin_id, id) include (network_id) where superadmin_id is not null;
create index activity_network on activity (network_id, id) where chain <> '{}';
create index activity_superdistributor on activity (superdistributor_id, id) include (network_id) where superdistributor_id is not null;
create index activity_distributor on activity (distributor_id, id) include (network_id) where distributor_id is not null;
create index activity_retailer on activity (retailer_id, id) include (network_id) where retailer_id is not null;
-- The log tells of the draws that open, a row for each time some open in a network. These rows are nobody's: they have no chain, so that they
-- stand in no list of what people did, and none of the indexes above has them. They have one of their own.
create index activity_openings on activity (id) where chain = '{}';

-- The last row of each network's log: the next one is neither before its time nor below its id, whichever server writes it.
create table activity_heads (
  seq bigint not null,
  last_at timestamptz,
  last_id uuid,
  network_id integer primary key,
  hash bytea not null
);
