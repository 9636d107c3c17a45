-- Each row of the log keeps whose it is: the ids from the superadmin down to whoever did it, as they stood then. So it is found by key for
-- each of them, newest first, however many rows there are. Of what nobody did they end at the admin of the network, of the root at the first
-- superadmin. The hash of a row does not cover them: they follow from the account, by which the audit judges them.
alter table activity drop constraint activity_pkey;
drop index activity_account;
alter table activity rename to old_activity;
create table activity (
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
insert into activity (seq, at, id, account_id, network_id, hash, chain, username, subject, url, method, ip, detail)
  select l.seq, l.at, l.id, l.account_id, l.network_id, l.hash, coalesce(a.chain, '{}'), l.username, l.subject, l.url, l.method, l.ip, l.detail
  from old_activity l left join networks n on n.id = l.network_id left join accounts a on a.id = case
    when l.account_id is not null then l.account_id
    when l.network_id <> 0 then n.admin_id
    else (select id from accounts where role = 'superadmin' order by id limit 1) end
  order by l.network_id, l.seq;
drop table old_activity;

-- What an account did, and what it and everyone below it did: one index for each level.
create index activity_account on activity (account_id, id) where account_id is not null;
create index activity_superadmin on activity (superadmin_id, id);
create index activity_network on activity (network_id, id);
create index activity_superdistributor on activity (superdistributor_id, id) where superdistributor_id is not null;
create index activity_distributor on activity (distributor_id, id) where distributor_id is not null;
create index activity_retailer on activity (retailer_id, id) where retailer_id is not null;
