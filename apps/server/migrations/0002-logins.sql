-- People who act for a staff account. Login 0 is the account's own name and password and has no row. Numbers are never
-- reused, because the log names them. Usernames share one namespace with accounts; ../src/auth/logins checks it.
create table logins (
  created_at timestamptz not null,
  last_login_at timestamptz,
  removed_at timestamptz, -- removed logins keep their row, so usernames stay taken
  password_set_at timestamptz not null,
  temporary_until timestamptz, -- the password was set by somebody else and expires then; null: set by the person
  daily_limit bigint check (daily_limit >= 0), -- most credit it may give per day; null: unlimited
  account_id uuid not null,
  password_set_by uuid not null,
  network_id integer not null,
  number smallint not null check (number > 0),
  password_set_by_login smallint not null default 0,
  starts_minute smallint check (starts_minute between 0 and 1439), -- hours of sign-in, in the server's time zone
  ends_minute smallint check (ends_minute between 0 and 1439),
  active boolean not null default true,
  role text not null check (role in ('manager', 'cashier', 'table', 'reports', 'custom')),
  username text not null,
  name text not null,
  password_hash text not null,
  permissions text[] not null default '{}', -- optional rights of the role
  games uuid[] not null default '{}', -- panels it may open; empty: all
  addresses cidr[] not null default '{}', -- allowed networks; empty: all
  primary key (network_id, account_id, number),
  constraint logins_username unique (network_id, username),
  constraint logins_lower check (username = lower(username)),
  constraint logins_hours check (num_nulls(starts_minute, ends_minute) in (0, 2))
);
-- Not unique: a staged copy of a network has the same names.
create index logins_name on logins (username);
