-- Token hashes only, so reading the table lets nobody act as the account.
create table sessions (
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  account_id uuid not null references accounts (id),
  login smallint not null default 0,
  by_token boolean not null default false, -- opened without elevation: the token alone allows sensitive calls
  token_hash bytea primary key,
  device_hash bytea, -- browser, as in known_devices; null: a client without cookies
  ip text not null,
  user_agent text not null
);
create index sessions_account on sessions (account_id);

-- Lets a page make sensitive calls after the password was entered again. Only the secret's hash. With `opens`, valid
-- for a single request to that address.
create table elevations (
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  session_hash bytea not null references sessions (token_hash) on delete cascade,
  secret_hash bytea primary key,
  opens text
);
create index elevations_session on elevations (session_hash);

-- Sessions ended within two days count toward today's time limit.
create table past_sessions (
  began_at timestamptz not null,
  ended_at timestamptz not null,
  account_id uuid not null, -- no foreign key: a restore may remove the account and bring it back
  token_hash bytea primary key
);
create index past_sessions_account on past_sessions (account_id, ended_at);

-- The next call of a replaced session reports it.
create table replaced_sessions (
  replaced_at timestamptz not null,
  account_id uuid not null references accounts (id),
  login smallint not null default 0,
  token_hash bytea primary key
);
create index replaced_sessions_account on replaced_sessions (account_id);

-- Password attempts per name and address, per address and per name. An attempt counts as failed until it succeeds, so
-- parallel guesses cannot slip through. Unchecked refusals become one log row when the window ends.
create table attempts (
  since timestamptz not null,
  failures integer not null,
  refused integer not null default 0,
  scope text not null,
  subject text not null,
  refused_as jsonb, -- the log row
  primary key (scope, subject)
);
create index attempts_since on attempts (since);

-- Guesses from other addresses do not lock the account here.
create table known_addresses (
  last_at timestamptz not null,
  account_id uuid not null references accounts (id),
  login smallint not null default 0,
  address text not null,
  primary key (account_id, login, address)
);

-- By cookie secret hash. Guesses by others, even from the same address, do not slow sign-in here.
create table known_devices (
  last_at timestamptz not null,
  remembered_until timestamptz, -- no second factor is asked until then
  account_id uuid not null references accounts (id),
  login smallint not null default 0,
  device_hash bytea not null,
  remembered_mark text, -- binds to the password, so another one ends it
  user_agent text,
  primary key (account_id, login, device_hash)
);
create index known_devices_hash on known_devices (device_hash);

-- For online status. Servers renew `seen_at` every few seconds; sockets of silent ones count as closed.
create table servers (
  seen_at timestamptz not null,
  id uuid primary key
);
create table open_sockets (
  server_id uuid not null references servers (id) on delete cascade,
  token_hash bytea not null, -- session
  primary key (token_hash, server_id)
);
create index open_sockets_server on open_sockets (server_id);
