-- In each table the columns of fixed width come first, the widest of them foremost, so that no row has padding between them.

-- A network is an admin and everyone below. Inside it goes by a number, which is first in every key of its rows; outside by its admin's
-- id. Number 0 is the root: the superadmins and the issuance of credit. A network that moves to another database gets another number.
create table networks (
  admin_id uuid not null unique, -- of the root: the nil UUID
  id integer generated always as identity primary key,
  wallets integer not null default 0 -- how many it has, which is the number of the latest
);
insert into networks (id, admin_id) overriding system value values (0, '00000000-0000-0000-0000-000000000000');

-- Accounts are one tree, never deeper than six. `chain` holds the ids from the superadmin down to the account itself: it is
-- what every authority check and every rollup reads. The whole system shares this table; usernames are unique in it.
create table accounts (
  created_at timestamptz not null,
  last_login_at timestamptz,
  deleted_at timestamptz,
  daily_limit bigint check (daily_limit >= 0), -- hundredths that it may pass on a day; null: as much as it has
  id uuid primary key,
  parent_id uuid references accounts (id),
  network_id integer not null references networks (id),
  commission integer not null check (commission between 0 and 10000), -- hundredths of a percent
  active boolean not null,
  role text not null check (role in ('superadmin', 'admin', 'superdistributor', 'distributor', 'retailer', 'user')),
  username text not null,
  unique_id text not null unique,
  password_hash text not null,
  note text not null,
  chain uuid[] not null check (chain[cardinality(chain)] = id),
  check ((role = 'superadmin') = (parent_id is null))
);
create unique index accounts_username on accounts (lower(username));
create index accounts_chain on accounts using gin (chain);
-- The orders that lists are asked for in, each with the id that breaks its ties. They hold the chain as well, so that a list is
-- read and counted from the index alone, however deep the page.
create index accounts_list_username on accounts (role, lower(username), id) include (username, chain) where deleted_at is null;
create index accounts_list_created on accounts (role, created_at, id) include (chain) where deleted_at is null;
create index accounts_list_unique_id on accounts (role, unique_id, id) include (chain) where deleted_at is null;
create index accounts_list_commission on accounts (role, commission, id) include (chain) where deleted_at is null;
create index accounts_list_active on accounts (role, active, id) include (chain) where deleted_at is null;
create index accounts_list_last_login on accounts (role, last_login_at nulls first, id) include (chain) where deleted_at is null;
-- The children of one account in the order of their ids.
create index accounts_parent on accounts (parent_id, id) include (role, chain) where deleted_at is null;
-- How many accounts of a level a network has, without reading the accounts.
create index accounts_network on accounts (network_id, role, id) where deleted_at is null;

create table sessions (
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  account_id uuid not null references accounts (id),
  token_hash bytea primary key,
  ip text not null,
  user_agent text not null
);
create index sessions_account on sessions (account_id);

-- Sessions that gave way to newer ones of their account, to tell their next call why.
create table replaced_sessions (
  replaced_at timestamptz not null,
  account_id uuid not null references accounts (id),
  token_hash bytea primary key
);
create index replaced_sessions_account on replaced_sessions (account_id);

-- Attempts at passwords are counted for a name at an address, for an address, and for a name. Every attempt counts as failed until
-- it has succeeded, so that many at once cannot slip through. What is refused unseen within a window is one row of the log when
-- the window is over: until then it is counted here, with what that row will say.
create table attempts (
  since timestamptz not null,
  failures integer not null,
  refused integer not null default 0,
  scope text not null,
  subject text not null,
  refused_as jsonb,
  primary key (scope, subject)
);
create index attempts_since on attempts (since);

-- Where an account has signed in before: strangers elsewhere who guess at it don't lock it out there.
create table known_addresses (
  last_at timestamptz not null,
  account_id uuid not null references accounts (id),
  address text not null,
  primary key (account_id, address)
);
