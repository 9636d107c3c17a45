-- Accounts are one tree, never deeper than six. `chain` holds the ids from the superadmin down to the account itself: it is
-- what every authority check and every rollup reads. The whole system shares this table; usernames are unique in it.
create table accounts (
  id uuid primary key,
  network_id uuid not null,
  role text not null check (role in ('superadmin', 'admin', 'superdistributor', 'distributor', 'retailer', 'user')),
  chain uuid[] not null check (chain[cardinality(chain)] = id),
  parent_id uuid references accounts (id),
  username text not null,
  unique_id text not null unique,
  password_hash text not null,
  commission integer not null check (commission between 0 and 10000), -- hundredths of a percent
  note text not null,
  active boolean not null,
  deleted_at timestamptz,
  created_at timestamptz not null,
  last_login_at timestamptz,
  check ((role = 'superadmin') = (parent_id is null))
);
create unique index accounts_username on accounts (lower(username));
create index accounts_chain on accounts using gin (chain);
create index accounts_parent on accounts (parent_id);
create index accounts_role_username on accounts (role, lower(username));

create table sessions (
  token_hash bytea primary key,
  account_id uuid not null references accounts (id),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  ip text not null,
  user_agent text not null
);
create index sessions_account on sessions (account_id);

-- Every attempt counts as failed until it has succeeded, so that many at once cannot slip through.
create table sign_in_attempts (
  name text not null,
  ip text not null,
  failures integer not null,
  since timestamptz not null,
  primary key (name, ip)
);
