-- Active notices, with each server's last sighting. A notice ends when no server has seen it for a minute.
create table held_notices (
  since timestamptz not null,
  seen_at timestamptz not null,
  server_id uuid not null,
  code text not null,
  about text not null, -- instance, if several; else empty
  found json not null,
  primary key (code, about)
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
