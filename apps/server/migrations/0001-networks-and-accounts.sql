-- These files create the schema, one subject each, in order. Fixed-width columns come first, widest first, to avoid
-- padding. Amounts are hundredths of a point; win percentages and commissions are hundredths of a percent.

-- Fixed after first use: fingerprint of the seed key, time zone of report days.
create table pinned_settings (
  name text primary key,
  value text not null
);
-- Networks from another installation are moved, not restored.
insert into pinned_settings (name, value) values ('installation', gen_random_uuid()::text);

-- Numbers by value (kid2 before kid10), underscore first. Names are compared in lower case.
create collation natural_order (provider = icu, locale = 'und-u-kn-true');

-- An admin with all accounts below. Every key of a network's rows starts with its number; outside the database it goes
-- by the admin's id. Network 0 is the root: superadmins and the issuance of credit. Restores and moves assign a new
-- number.
create table networks (
  admin_id uuid not null unique, -- root: the nil UUID
  id integer generated always as identity primary key,
  wallets integer not null default 0, -- wallet count, also the highest wallet number
  arrives boolean not null default false -- placeholder until a moved network arrives
);
insert into networks (id, admin_id) overriding system value values (0, '00000000-0000-0000-0000-000000000000');

-- One tree of at most six levels for all networks. `chain` lists ids from superadmin down to the account, for authority
-- checks and rollups.
create table accounts (
  written_by xid8 not null default pg_current_xact_id(), -- see 0020-seals.sql
  created_at timestamptz not null,
  last_login_at timestamptz,
  simulated_until timestamptz, -- admins of test networks: the server places bets for their players until then
  deleted_at timestamptz, -- deleted accounts keep their row, so usernames stay taken
  password_set_at timestamptz,
  temporary_until timestamptz, -- as in logins
  daily_limit bigint check (daily_limit >= 0), -- most it may pass on per day; null: unlimited
  table_line bigint check (table_line >= 0), -- admins: how far a table may fall below zero; null: the network's net credit
  id uuid primary key,
  parent_id uuid references accounts (id) deferrable,
  -- Somebody else who set the last password: for a while both cannot confirm for each other.
  password_set_by uuid,
  network_id integer not null references networks (id),
  commission integer not null check (commission between 0 and 10000),
  -- Admins: largest commission sum along one chain, levels 3 to 6.
  commission_ceiling integer not null default 2000 check (commission_ceiling between 0 and 10000),
  -- Admins: hours of sign-in of the network's staff, in the server's time zone; null: all.
  staff_starts_minute smallint,
  staff_ends_minute smallint,
  commission_granted boolean not null default false, -- set by admin or superadmin: may exceed the parent's
  token_sessions boolean not null default true, -- admins: sessions without elevation may make sensitive calls
  test_network boolean not null default false, -- admins: a network to try things out; fixed by its first bet
  password_first boolean not null default false, -- admins: every call of staff waits for an own password
  remember_devices boolean not null default false, -- admins: a factor may be asked once in 30 days
  active boolean not null,
  role text not null check (role in ('superadmin', 'admin', 'superdistributor', 'distributor', 'retailer', 'user')),
  username text not null,
  unique_id text not null unique,
  password_hash text not null,
  note text not null,
  factor_roles text[] not null default '{}', -- admins: roles of the network that need a second factor
  staff_addresses cidr[] not null default '{}', -- admins: allowed networks of its staff; empty: all
  chain uuid[] not null check (chain[cardinality(chain)] = id),
  check ((role = 'superadmin') = (parent_id is null)),
  constraint accounts_password_set check (num_nulls(password_set_at, password_set_by) in (0, 2))
) with (fillfactor = 50); -- restores renumber every account; spare page room keeps such updates off the indexes (HOT)
create unique index accounts_username on accounts (lower(username));
create index accounts_chain on accounts using gin (chain);

-- Including `chain` allows index-only scans of lists.
create index accounts_list_username on accounts (role, (lower(username) collate natural_order), id) include (username, chain)
  where deleted_at is null;
create index accounts_list_created on accounts (role, created_at, id) include (chain) where deleted_at is null;
create index accounts_list_unique_id on accounts (role, unique_id, id) include (chain) where deleted_at is null;
create index accounts_list_commission on accounts (role, commission, id) include (chain) where deleted_at is null;
create index accounts_list_active on accounts (role, active, id) include (chain) where deleted_at is null;
create index accounts_list_last_login on accounts (role, last_login_at nulls first, id) include (chain) where deleted_at is null;

create index accounts_simulated on accounts (simulated_until) where simulated_until is not null;
create index accounts_parent on accounts (parent_id, id) include (role, chain) where deleted_at is null;
-- Without it, reports that include deleted children scan all accounts.
create index accounts_deleted_children on accounts (parent_id) where deleted_at is not null;
-- Counts per level are index-only. By admin, since restores change the number.
create index accounts_network on accounts ((chain[2]), role, id) include (chain) where deleted_at is null;

-- Settlement uses the rates of a draw's opening: `before` of the first later change, else the current rate. Accounts
-- without rows never changed.
create table rate_changes (
  written_by xid8 not null default pg_current_xact_id(), -- see 0020-seals.sql
  at timestamptz not null,
  account_id uuid not null,
  network_id integer not null,
  nth integer not null, -- per network from 1, in commit order
  before integer not null check (before between 0 and 10000),
  after integer not null check (after between 0 and 10000 and after <> before),
  primary key (network_id, account_id, nth),
  unique (network_id, nth)
);
