-- Attempts at passwords are counted for a name at an address, for an address, and for a name. What is refused unseen within a
-- window is one row of the log when the window is over: until then it is counted here, with what that row will say.
drop table sign_in_attempts;
create table attempts (
  scope text not null,
  subject text not null,
  failures integer not null,
  since timestamptz not null,
  refused integer not null default 0,
  refused_as jsonb,
  primary key (scope, subject)
);
create index attempts_since on attempts (since);

-- Where an account has signed in before: strangers elsewhere who guess at it don't lock it out there.
create table known_addresses (
  account_id uuid not null references accounts (id),
  address text not null,
  last_at timestamptz not null,
  primary key (account_id, address)
);

-- Sessions that gave way to newer ones of their account, to tell their next call why.
create table replaced_sessions (
  token_hash bytea primary key,
  account_id uuid not null references accounts (id),
  replaced_at timestamptz not null
);
create index replaced_sessions_account on replaced_sessions (account_id);
