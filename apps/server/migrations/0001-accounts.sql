-- These files make the whole schema, one subject each, in order. In every table the columns of fixed width come first, the widest of them
-- foremost, so that rows have no padding. Amounts are hundredths of a point; win percentages and commissions are hundredths of a percent.
-- The server works as a role with the rights of ../grants.sql.

-- Settings that can't change once used: the fingerprint of the key that seals seeds, and the time zone of the days of reports.
create table pinned_settings (
  name text primary key,
  value text not null
);
-- Tells databases apart: a network from another installation is moved, not restored.
insert into pinned_settings (name, value) values ('installation', gen_random_uuid()::text);

-- A network is an admin and all accounts below. Inside the database it has a number, which is first in every key of its rows; outside it
-- goes by its admin's id. Network 0 is the root: the superadmins and the issuance of credit. A restored or moved network gets a new number.
create table networks (
  admin_id uuid not null unique, -- of the root: the nil UUID
  id integer generated always as identity primary key,
  wallets integer not null default 0, -- how many it has, which is the number of the latest
  arrives boolean not null default false -- being moved here: until it has come, its admin has nothing
);
insert into networks (id, admin_id) overriding system value values (0, '00000000-0000-0000-0000-000000000000');

-- Accounts are one tree, never deeper than six. `chain` holds the ids from the superadmin down to the account itself: every authority
-- check and every rollup reads it. All networks share this table; usernames are unique in it.
create table accounts (
  created_at timestamptz not null,
  last_login_at timestamptz,
  deleted_at timestamptz, -- a deleted account keeps its row: its name stays taken
  password_set_at timestamptz,
  daily_limit bigint check (daily_limit >= 0), -- the most that it may pass on in a day; null: no limit
  table_line bigint check (table_line >= 0), -- of an admin: how far one table of the network may fall below zero; null: the net credit given to the network
  id uuid primary key,
  parent_id uuid references accounts (id) deferrable,
  -- Who set its password last, if somebody else did, and when: for a while that account can't confirm as a second person.
  password_set_by uuid,
  network_id integer not null references networks (id),
  commission integer not null check (commission between 0 and 10000),
  -- Of an admin, set by a superadmin: the most that the commissions of levels 3 to 6 along one chain may sum to.
  commission_ceiling integer not null default 2000 check (commission_ceiling between 0 and 10000),
  commission_granted boolean not null default false, -- an admin or a superadmin set the commission: it may be above the parent's
  token_sessions boolean not null default true, -- of an admin: sessions of the network without an elevation may make sensitive calls by their token alone
  active boolean not null,
  role text not null check (role in ('superadmin', 'admin', 'superdistributor', 'distributor', 'retailer', 'user')),
  username text not null,
  unique_id text not null unique,
  password_hash text not null,
  note text not null,
  chain uuid[] not null check (chain[cardinality(chain)] = id),
  check ((role = 'superadmin') = (parent_id is null)),
  constraint accounts_password_set check (num_nulls(password_set_at, password_set_by) in (0, 2))
) with (fillfactor = 50); -- a restore gives all accounts of a network another number: where the page has room for that, no index changes
create unique index accounts_username on accounts (lower(username));
create index accounts_chain on accounts using gin (chain);

-- The orders of lists, each with the id that breaks ties. They hold the chain too, so that a list is read and counted from the index alone.
create index accounts_list_username on accounts (role, lower(username), id) include (username, chain) where deleted_at is null;
create index accounts_list_created on accounts (role, created_at, id) include (chain) where deleted_at is null;
create index accounts_list_unique_id on accounts (role, unique_id, id) include (chain) where deleted_at is null;
create index accounts_list_commission on accounts (role, commission, id) include (chain) where deleted_at is null;
create index accounts_list_active on accounts (role, active, id) include (chain) where deleted_at is null;
create index accounts_list_last_login on accounts (role, last_login_at nulls first, id) include (chain) where deleted_at is null;

create index accounts_parent on accounts (parent_id, id) include (role, chain) where deleted_at is null;
-- Reports lead down to deleted children: without this index each report reads all accounts.
create index accounts_deleted_children on accounts (parent_id) where deleted_at is not null;
-- Counts a network's accounts of a level without reading them. By its admin, not its number: a restore changes the number.
create index accounts_network on accounts ((chain[2]), role, id) include (chain) where deleted_at is null;

-- Settlement uses the commission rates of a draw's opening, so rates have a history: one row per change. An account without a row has
-- always had one rate. The rate at an opening is `before` of the account's first later change, else the account's rate of today.
create table rate_changes (
  written_by xid8 not null default pg_current_xact_id(), -- the transaction that wrote it (0012-seals.sql)
  at timestamptz not null,
  account_id uuid not null,
  network_id integer not null,
  nth integer not null, -- counts the changes of the network from 1, in the order of their commits
  before integer not null check (before between 0 and 10000),
  after integer not null check (after between 0 and 10000 and after <> before),
  primary key (network_id, account_id, nth),
  unique (network_id, nth)
);
