-- Append-only and hash-chained per network. `chain` is the actor's chain at that time, indexed for each ancestor. For
-- the product itself it ends at the admin or, in the root, at the first superadmin. The hash excludes it; the audit
-- derives it.
create table activity (
  written_by xid8 not null default pg_current_xact_id(), -- see 0020-seals.sql
  seq bigint not null,
  at timestamptz not null,
  id uuid not null,
  account_id uuid,
  -- For index-only counts. An admin's rows are the network's.
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

-- By account, and by subtree for each level.
create index activity_account on activity (account_id, id) include (network_id) where account_id is not null;
create index activity_superadmin on activity (superadmin_id, id) include (network_id) where superadmin_id is not null;
create index activity_network on activity (network_id, id) where chain <> '{}';
create index activity_superdistributor on activity (superdistributor_id, id) include (network_id) where superdistributor_id is not null;
create index activity_distributor on activity (distributor_id, id) include (network_id) where distributor_id is not null;
create index activity_retailer on activity (retailer_id, id) include (network_id) where retailer_id is not null;
-- One row per batch of draw openings, with neither actor nor chain.
create index activity_openings on activity (id) where chain = '{}';
-- Notices to persons, by addressee.
create index activity_notice on activity ((detail -> 'notice' ->> 'to'), id) where detail -> 'notice' ->> 'to' is not null;
create index activity_refused_places on activity (network_id, id) where detail ? 'refusedPlace';

-- The row after a log's last one gets a later time and id, on any server.
create table activity_heads (
  seq bigint not null,
  last_at timestamptz,
  last_id uuid,
  network_id integer primary key,
  hash bytea not null
);
