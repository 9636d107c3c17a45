-- Accounts are one tree, never deeper than six. `chain` holds the ids from the superadmin down to the account itself: it is
-- what every authority check and every rollup reads. The whole system shares this table; usernames are unique in it.
create table accounts (
  created_at timestamptz not null,
  last_login_at timestamptz,
  deleted_at timestamptz, -- one that is deleted keeps its row: its name stays taken, and what it did stays its own
  password_set_at timestamptz,
  daily_limit bigint check (daily_limit >= 0), -- that it may pass on a day; null: as much as it has
  id uuid primary key,
  parent_id uuid references accounts (id) deferrable,
  -- Who gave it its password last, where that was somebody else, and when: for a while they are no second person for it.
  password_set_by uuid,
  network_id integer not null references networks (id),
  commission integer not null check (commission between 0 and 10000),
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
-- Reports lead down to children that were deleted: without it each looks through all accounts there are.
create index accounts_deleted_children on accounts (parent_id) where deleted_at is not null;
-- How many accounts of a level a network has, without reading the accounts: by its admin, as no index may have its number, which a restore changes.
create index accounts_network on accounts ((chain[2]), role, id) include (chain) where deleted_at is null;
