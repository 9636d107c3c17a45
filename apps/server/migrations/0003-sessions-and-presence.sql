-- A session is known by the hash of its token, so that whoever reads this table can't act as anybody.
create table sessions (
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  password_at timestamptz, -- when its password was last given, which what is sensitive wants to be lately; null: not that we know
  account_id uuid not null references accounts (id),
  token_hash bytea primary key,
  ip text not null,
  user_agent text not null
);
create index sessions_account on sessions (account_id);

-- From when to when sessions were in use that have ended, for two days: how long somebody was signed in today.
create table past_sessions (
  began_at timestamptz not null,
  ended_at timestamptz not null,
  account_id uuid not null, -- which a restore may have taken away and brought back
  token_hash bytea primary key
);
create index past_sessions_account on past_sessions (account_id, ended_at);

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

-- Browsers in which an account has signed in, each by the hash of the secret in its cookie: whoever guesses at the account from the same address, or from
-- many, does not slow its sign-ins in them.
create table known_devices (
  last_at timestamptz not null,
  account_id uuid not null references accounts (id),
  device_hash bytea not null,
  primary key (account_id, device_hash)
);
create index known_devices_hash on known_devices (device_hash);

-- Which servers there are, and the sockets that each one has open: by these an account is online. A server says every few seconds that it
-- is there: the sockets of one that has been silent for long are gone.
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
