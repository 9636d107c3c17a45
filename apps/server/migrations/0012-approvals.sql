-- Acts that need a second person, per network. A row with `above` null is switched off. Network 0: all superadmins.
create table approval_rules (
  above bigint check (above >= 0), -- hundredths; larger acts need an approval. 0: all
  network_id integer not null,
  kind text not null,
  primary key (network_id, kind)
);

-- 'running': approved work of several transactions. If interrupted, it waits again.
create type approval_state as enum ('waiting', 'running', 'approved', 'declined', 'withdrawn', 'expired');

-- `network_id` is the network of the act, also if a superadmin asks.
create table approvals (
  at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz, -- null: waiting
  amount bigint, -- hundredths
  id uuid not null,
  account_id uuid not null, -- asked
  decided_by uuid, -- null: waiting or expired
  network_id integer not null,
  number integer not null check (number > 0),
  login smallint not null default 0, -- of account_id
  decided_login smallint not null default 0, -- of decided_by
  kind text not null,
  state approval_state not null default 'waiting',
  method text not null,
  path text not null, -- of the route
  url text not null,
  ip text not null,
  subject text not null,
  reason text not null default '', -- of a decline
  key text, -- Idempotency-Key
  input jsonb not null, -- validated, without passwords
  changes jsonb not null, -- before and after, as shown
  result jsonb, -- ids of what was done
  api_key smallint, -- of account_id, if a program asked
  primary key (network_id, number),
  constraint approvals_id unique (network_id, id)
);
create index approvals_waiting on approvals (network_id, expires_at) where state = 'waiting';
create unique index approvals_key on approvals (network_id, account_id, login, key) where state = 'waiting';
