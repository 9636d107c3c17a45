-- A notice ends when no server has seen it for a minute, and is deleted 90 days later.
create table held_notices (
  since timestamptz not null,
  seen_at timestamptz not null,
  ended_at timestamptz,
  id uuid primary key,
  server_id uuid not null,
  admin_id uuid, -- null: of the server
  code text not null,
  key text not null, -- object, if several; else empty
  found json not null
);
create unique index held_notices_active on held_notices (code, key) where ended_at is null;
create index held_notices_since on held_notices (since);

-- Acknowledged and snoozed notices. A mark counts for a notice that began before it. Marks are of a person (`login`), not
-- of the account. Code OWN: own notices up to `at` are read.
create table notice_marks (
  at timestamptz not null,
  until timestamptz, -- null: acknowledged
  account_id uuid not null,
  code text not null,
  key text not null,
  login smallint not null default 0,
  primary key (account_id, login, code, key)
);

-- Webhook messages: start and end of notices, and tests.
create table notice_messages (
  made_at timestamptz not null,
  tried_at timestamptz,
  next_try_at timestamptz, -- null: answered or given up
  answered_at timestamptz,
  id uuid primary key,
  tries smallint not null default 0,
  type text not null check (type in ('began', 'ended', 'test')),
  code text not null,
  body text not null, -- signed bytes
  check (answered_at is null or next_try_at is null)
);
