-- The table stores the hash of a session's token: reading it lets nobody act as the account.
create table sessions (
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  account_id uuid not null references accounts (id),
  by_token boolean not null default false, -- opened without an elevation: its token alone makes the calls of the specification
  token_hash bytea primary key,
  ip text not null,
  user_agent text not null
);
create index sessions_account on sessions (account_id);

-- An elevation lets a page make sensitive calls after the password was given again. The page keeps the secret in memory; the table
-- stores its hash. An elevation that `opens` an address is good for that address alone, once.
create table elevations (
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  session_hash bytea not null references sessions (token_hash) on delete cascade,
  secret_hash bytea primary key,
  opens text
);
create index elevations_session on elevations (session_hash);

-- Ended sessions, for two days: they count toward the time that a player was signed in today.
create table past_sessions (
  began_at timestamptz not null,
  ended_at timestamptz not null,
  account_id uuid not null, -- no reference: a restore may have removed the account and brought it back
  token_hash bytea primary key
);
create index past_sessions_account on past_sessions (account_id, ended_at);

-- Sessions that a newer one of their account replaced: their next call says so.
create table replaced_sessions (
  replaced_at timestamptz not null,
  account_id uuid not null references accounts (id),
  token_hash bytea primary key
);
create index replaced_sessions_account on replaced_sessions (account_id);

-- Password attempts are counted for a name at an address, for an address, and for a name. An attempt counts as failed until it has
-- succeeded, so that many at once can't slip through. Attempts refused without a check are counted here, and become one row of the log
-- at the end of their window.
create table attempts (
  since timestamptz not null,
  failures integer not null,
  refused integer not null default 0,
  scope text not null,
  subject text not null,
  refused_as jsonb, -- the row of the log
  primary key (scope, subject)
);
create index attempts_since on attempts (since);

-- Addresses from which an account has signed in: guesses from elsewhere don't lock the account out at these.
create table known_addresses (
  last_at timestamptz not null,
  account_id uuid not null references accounts (id),
  address text not null,
  primary key (account_id, address)
);

-- Browsers in which an account has signed in, by the hash of the secret in their cookie: guesses by others, from the same address too,
-- don't slow sign-ins in these.
create table known_devices (
  last_at timestamptz not null,
  account_id uuid not null references accounts (id),
  device_hash bytea not null,
  primary key (account_id, device_hash)
);
create index known_devices_hash on known_devices (device_hash);

-- Running servers and their open sockets, by which an account is online. Servers renew `seen_at` every few seconds; a silent server's
-- sockets are gone.
create table servers (
  seen_at timestamptz not null,
  id uuid primary key
);
create table open_sockets (
  server_id uuid not null references servers (id) on delete cascade,
  token_hash bytea not null, -- of the session
  primary key (token_hash, server_id)
);
create index open_sockets_server on open_sockets (server_id);
