-- Append-only, and chained by hash within a network: the audit finds a changed or missing row. `chain` is the actor's chain at that
-- time, so that each ancestor's rows are found by an index. Rows of the product itself have a chain that ends at the admin of the network,
-- in the root at the first superadmin. The hash does not cover the chain: the audit derives it from the account.
create table activity (
  written_by xid8 not null default pg_current_xact_id(), -- the transaction that wrote it (0012-seals.sql)
  seq bigint not null,
  at timestamptz not null,
  id uuid not null,
  account_id uuid,
  -- For indexes that count rows without reading them. An admin's are those of the network.
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

-- Rows of an account, and of an account and all below it: one index for each level.
create index activity_account on activity (account_id, id) include (network_id) where account_id is not null;
create index activity_superadmin on activity (superadmin_id, id) include (network_id) where superadmin_id is not null;
create index activity_network on activity (network_id, id) where chain <> '{}';
create index activity_superdistributor on activity (superdistributor_id, id) include (network_id) where superdistributor_id is not null;
create index activity_distributor on activity (distributor_id, id) include (network_id) where distributor_id is not null;
create index activity_retailer on activity (retailer_id, id) include (network_id) where retailer_id is not null;
-- One row per opening of draws of a network. These rows are nobody's: they have no chain, and are in no list of people's activity.
create index activity_openings on activity (id) where chain = '{}';

-- The last row of each network's log. The next row has a later time and id, whichever server writes it.
create table activity_heads (
  seq bigint not null,
  last_at timestamptz,
  last_id uuid,
  network_id integer primary key,
  hash bytea not null
);
